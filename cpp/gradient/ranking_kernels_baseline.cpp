#include "base/math.hpp"
#include "gradient/ranking_kernels.hpp"

#define CEIBA_ARCH baseline
#include "gradient/ranking_kernels.inc"
