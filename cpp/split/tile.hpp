// Bins as doubles: from the planes of a column to gradients, hessians and counts, several at a time.
//
// For kernels that are compiled twice, hence static and plain.
#pragma once

#include "gradient/packing.hpp"

#include <bit>
#include <cstdint>

namespace ceiba {

// Whole numbers below 2^51 in size become doubles by one addition and one subtraction, in a vector
// lane.
static inline double to_double(std::int64_t value) {
    constexpr double kMagic = 0x1.8p52;
    const auto bits = static_cast<std::uint64_t>(value) + std::bit_cast<std::uint64_t>(kMagic);
    return std::bit_cast<double>(bits) - kMagic;
}

// The hessians of n sums, where they are not constant. `low`: the words that hold hessians and
// counts, of single words or of pairs.
static inline void unpack_hessians(const std::uint64_t* low, bool pairs, int n,
                                   const Packing& packing, double hessian_unit, double* hessian) {
    const int count_bits = packing.count_bits;
    const std::uint64_t mask = pairs ? ~std::uint64_t{0} : low_bits(packing.hessian_bits);
    for (int i = 0; i < n; ++i)
        hessian[i] =
            to_double(static_cast<std::int64_t>((low[i] >> count_bits) & mask)) * hessian_unit;
}

// n sums in units: words[p][i] is the word of plane p.
static inline void unpack_tile(const std::uint64_t* first, const std::uint64_t* rest, int n,
                               const Packing& packing, double gradient_unit, double hessian_unit,
                               double* gradient, double* hessian, double* count) {
    const int count_bits = packing.count_bits;
    const std::uint64_t count_mask = low_bits(count_bits);
    const std::uint64_t* low = rest == nullptr ? first : rest;
    for (int i = 0; i < n; ++i)
        count[i] = to_double(static_cast<std::int64_t>(low[i] & count_mask));
    if (rest == nullptr) {
        const int shift = count_bits + packing.hessian_bits;
        for (int i = 0; i < n; ++i)
            gradient[i] = to_double(shift_signed(first[i], shift)) * gradient_unit;
    } else {
        for (int i = 0; i < n; ++i)
            gradient[i] = to_double(static_cast<std::int64_t>(first[i])) * gradient_unit;
    }
    if (packing.constant_hessian) {
        for (int i = 0; i < n; ++i) hessian[i] = count[i] * hessian_unit;
    } else {
        unpack_hessians(low, rest != nullptr, n, packing, hessian_unit, hessian);
    }
}

} // namespace ceiba
