// Declarations of exact_sum_kernels.inc, once per instruction set.
#pragma once

#include <cstdint>

namespace ceiba {

// Fractional bits of every scaled value.
constexpr int exact_sum_low_bits = 46;
// Values summed in 64 bits before they are added in 128.
constexpr std::int64_t exact_sum_block = 1 << 16;

struct HighLow {
    std::int64_t high = 0;
    std::int64_t low = 0;
};

#define CEIBA_EXACT_SUM_KERNELS(ARCH)                                                              \
    namespace ARCH {                                                                               \
    using std::int64_t;                                                                            \
    int64_t largest_magnitude(const double* values, int64_t n);                                    \
    HighLow sum_block(const double* values, double scale, int64_t n);                              \
    HighLow sum_products(const double* values, double value_scale, const double* weights,          \
                         double weight_scale, int64_t n);                                          \
    }

CEIBA_EXACT_SUM_KERNELS(baseline)
CEIBA_EXACT_SUM_KERNELS(avx2)

#undef CEIBA_EXACT_SUM_KERNELS

} // namespace ceiba
