// Exact sums that do not depend on the order of the values.
//
// Every value is rounded on its own to an integer multiple of a unit that is about 2^-86 of the
// largest value; the multiples are added as integers. So the sum is a function of the multiset of
// values, and its error is far below that of one rounding to double.
//
//     value / scale =    high      +  low / 2^46        |high| <= 2^40, |low| <= 2^45
//                      (integer)     (integer)          sums of 2^40 values fit in 128 bits
//
// With weights the exact product of value and weight is rounded, so a row of weight k equals k
// rows.
#pragma once

#include "base/wide_integer.hpp"

#include <cstdint>

namespace ceiba {

// Infinite or NaN values give infinity or NaN, as adding them in any order does.
double exact_sum(const double* values, const double* weights /* or nullptr */, std::int64_t n);

// The same in steps, for rows in several places: the largest magnitudes of all values and weights
// (bits of doubles, compared as integers; from kNotFinite on they are infinite or NaN), the integer
// sum of each part in their units, and the number that the sum of these stands for.
constexpr std::int64_t kNotFinite = 0x7ff0000000000000;

struct LargestBits {
    std::int64_t value = 0, weight = 0;
    bool weighted = false;

    static LargestBits of(const double* values, const double* weights, std::int64_t n);
    bool finite() const { return value < kNotFinite && weight < kNotFinite; }
};

WideInt exact_part(const double* values, const double* weights, std::int64_t n,
                   const LargestBits& largest);
double exact_result(WideInt sum, const LargestBits& largest);

} // namespace ceiba
