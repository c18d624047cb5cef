// Average precision: the area under the step function of precision over recall.
//
// Rows enter from the highest score down, rows of equal score together. Each group adds the
// precision of all rows so far times the weight of its rows of class 1. The sum follows the order
// of the scores, so the result does not depend on the row order.
#pragma once

#include <cstdint>

namespace ceiba {

// target: 0 or 1. NaN if class 1 has no weight. A NaN score is an InputError.
double average_precision(const double* target, const double* scores,
                         const double* weights /* or nullptr */, std::int64_t n);

} // namespace ceiba
