// Sums that do not depend on the order of what is summed.
//
// Every value is rounded, on its own, to a whole multiple of a unit that is about 2^-86 of the
// largest value; the multiples are added as integers. So the sum is a function of the multiset of
// values, and its error is far below that of one rounding to double.
//
//     value / scale =      high      +  low / 2^46        |high| <= 2^40, |low| <= 2^45
//                     (whole number)   (whole number)     sums of 2^40 values fit in 128 bits
//
// With weights the product of value and weight is taken exactly before it is rounded, so a row of
// weight k counts as k rows.
#pragma once

#include <cstdint>

namespace ceiba {

// Infinite or NaN values give what adding them in any order gives: infinity or NaN.
double exact_sum(const double* values, const double* weights /* or nullptr */, std::int64_t n);

} // namespace ceiba
