#define CEIBA_ARCH baseline
#include "tree/histogram_kernels.inc"
