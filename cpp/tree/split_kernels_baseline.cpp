#define CEIBA_ARCH baseline
#include "tree/split_kernels.inc"
