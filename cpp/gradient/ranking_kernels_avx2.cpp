#include "base/math.hpp"
#include "gradient/ranking_kernels.hpp"

#define CEIBA_ARCH avx2
#include "gradient/ranking_kernels.inc"
