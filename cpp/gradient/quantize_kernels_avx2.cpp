#define CEIBA_ARCH avx2
#include "gradient/quantize_kernels.inc"
