#define CEIBA_ARCH avx2
#include "tree/inner_bounds_kernels.inc"
