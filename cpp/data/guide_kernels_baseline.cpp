#define CEIBA_ARCH baseline
#include "data/guide_kernels.inc"
