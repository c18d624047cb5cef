#define CEIBA_ARCH baseline
#include "gradient/quantize_kernels.inc"
