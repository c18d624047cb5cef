// Area under the ROC curve.
//
// The fraction of (class 1, class 0) pairs in which class 1 has the higher score. A pair of equal
// scores counts one half, and the weight of a pair is the product of its row weights. Weights
// become integers (multiples of a power of two such that their sum fits in 62 bits), so the result
// does not depend on the row order.
#pragma once

#include <cstdint>

namespace ceiba {

// target: 0 or 1. NaN if a class has no weight. A NaN score is an InputError.
double auc(const double* target, const double* scores, const double* weights /* or nullptr */,
           std::int64_t n);

} // namespace ceiba
