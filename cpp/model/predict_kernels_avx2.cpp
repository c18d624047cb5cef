#define CEIBA_ARCH avx2
#include "model/predict_kernels.inc"
