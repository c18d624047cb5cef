#define CEIBA_ARCH avx2
#include "tree/histogram_kernels.inc"
