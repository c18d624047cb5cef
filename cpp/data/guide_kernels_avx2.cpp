#define CEIBA_ARCH avx2
#include "data/guide_kernels.inc"
