#define CEIBA_ARCH baseline
#include "model/predict_kernels.inc"
