// Area under the ROC curve.
//
// The share of (class 1, class 0) pairs in which class 1 has the higher score; a pair of equal
// scores counts one half, and a pair weighs the product of its weights. Weights become integers
// (multiples of a power of two fine enough that their sum fits in 62 bits), so the order of rows
// has no say.
#pragma once

#include <cstdint>

namespace ceiba {

// target: 0 or 1. NaN where a class has no weight. A NaN score is an InputError.
double auc(const double* target, const double* scores, const double* weights /* or nullptr */,
           std::int64_t n);

} // namespace ceiba
