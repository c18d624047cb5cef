#define CEIBA_ARCH baseline
#include "tree/inner_bounds_kernels.inc"
