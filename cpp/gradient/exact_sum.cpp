#include "gradient/exact_sum.hpp"

#include "base/cpu.hpp"
#include "base/wide_integer.hpp"
#include "gradient/exact_sum_kernels.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace ceiba {

namespace {

// The double nearest to value · 2^exponent.
double to_double(WideInt value, int exponent) {
    const bool negative = value < 0;
    WideUint magnitude =
        negative ? WideUint(0) - static_cast<WideUint>(value) : static_cast<WideUint>(value);
    // Shift down to 64 bits. Dropped bits only affect rounding, so one sticky bit represents them.
    int shift = 0;
    const auto top = static_cast<std::uint64_t>(magnitude >> 64);
    if (top != 0) {
        shift = 64 - std::countl_zero(top);
        const bool cut = (magnitude & ((WideUint(1) << shift) - 1)) != 0;
        magnitude = (magnitude >> shift) | static_cast<WideUint>(cut ? 1 : 0);
    }
    const double rounded = static_cast<double>(static_cast<std::uint64_t>(magnitude));
    return std::ldexp(negative ? -rounded : rounded, exponent + shift);
}

// A power of two that scales all magnitudes below 2^bits.
int scale_exponent(std::int64_t largest_bits, int bits) {
    int exponent = 0;
    std::frexp(std::bit_cast<double>(largest_bits), &exponent);
    return std::min(bits - exponent, 1023);
}

double sum_not_finite(const double* values, const double* weights, std::int64_t n) {
    bool above = false;
    bool below = false;
    for (std::int64_t i = 0; i < n; ++i) {
        const double value = weights == nullptr ? values[i] : values[i] * weights[i];
        if (std::isnan(value)) return value;
        above |= value == std::numeric_limits<double>::infinity();
        below |= value == -std::numeric_limits<double>::infinity();
    }
    if (above && below) return std::numeric_limits<double>::quiet_NaN();
    return above ? std::numeric_limits<double>::infinity()
                 : -std::numeric_limits<double>::infinity();
}

// Exponents of the units of values and weights.
struct UnitExponents {
    int value, weight;

    explicit UnitExponents(const LargestBits& largest)
        : value(scale_exponent(largest.value, largest.weighted ? 20 : 40)),
          weight(largest.weighted ? scale_exponent(largest.weight, 20) : 0) {}
};

} // namespace

LargestBits LargestBits::of(const double* values, const double* weights, std::int64_t n) {
    const auto largest = use_avx2() ? avx2::largest_magnitude : baseline::largest_magnitude;
    return {largest(values, n), weights == nullptr ? 0 : largest(weights, n), weights != nullptr};
}

WideInt exact_part(const double* values, const double* weights, std::int64_t n,
                   const LargestBits& largest) {
    const bool fast = use_avx2();
    const auto sum_block = fast ? avx2::sum_block : baseline::sum_block;
    const auto sum_products = fast ? avx2::sum_products : baseline::sum_products;
    const UnitExponents exponents(largest);
    const double value_scale = std::ldexp(1.0, exponents.value);
    const double weight_scale = std::ldexp(1.0, exponents.weight);
    WideInt high = 0;
    WideInt low = 0;
    for (std::int64_t begin = 0; begin < n; begin += exact_sum_block) {
        const std::int64_t count = std::min(exact_sum_block, n - begin);
        const HighLow sums =
            weights == nullptr
                ? sum_block(values + begin, value_scale, count)
                : sum_products(values + begin, value_scale, weights + begin, weight_scale, count);
        high += sums.high;
        low += sums.low;
    }
    return high * (WideInt(1) << exact_sum_low_bits) + low;
}

double exact_result(WideInt sum, const LargestBits& largest) {
    const UnitExponents exponents(largest);
    return to_double(sum, -exact_sum_low_bits - exponents.value - exponents.weight);
}

double exact_sum(const double* values, const double* weights, std::int64_t n) {
    const LargestBits largest = LargestBits::of(values, weights, n);
    if (!largest.finite()) return sum_not_finite(values, weights, n);
    return exact_result(exact_part(values, weights, n, largest), largest);
}

} // namespace ceiba
