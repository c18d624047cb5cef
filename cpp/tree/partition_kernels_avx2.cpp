#define CEIBA_ARCH avx2
#include "tree/partition_kernels.inc"
