#include "base/math.hpp"
#include "gradient/exact_sum_kernels.hpp"

#include <bit>

#define CEIBA_ARCH avx2
#include "gradient/exact_sum_kernels.inc"
