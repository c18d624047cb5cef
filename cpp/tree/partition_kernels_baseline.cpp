#define CEIBA_ARCH baseline
#include "tree/partition_kernels.inc"
