// Average precision: the area under the steps of precision over recall.
//
// From the highest score down, rows of equal score come in together; each group adds the precision
// of all rows so far, times the weight of its rows of class 1. The sum runs in the order of the
// scores, so the order of rows has no say.
#pragma once

#include <cstdint>

namespace ceiba {

// target: 0 or 1. NaN where class 1 has no weight. A NaN score is an InputError.
double average_precision(const double* target, const double* scores,
                         const double* weights /* or nullptr */, std::int64_t n);

} // namespace ceiba
