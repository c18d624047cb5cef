#define CEIBA_ARCH avx2
#include "tree/split_kernels.inc"
