#include "base/math.hpp"
#include "gradient/losses_kernels.hpp"

#define CEIBA_ARCH avx2
#include "gradient/losses_kernels.inc"
