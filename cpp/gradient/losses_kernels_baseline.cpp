#include "base/math.hpp"
#include "gradient/losses_kernels.hpp"

#define CEIBA_ARCH baseline
#include "gradient/losses_kernels.inc"
