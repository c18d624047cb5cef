// Gradients of losses that grow no faster than the error: absolute error, quantile, Huber.
//
// All are functions of score - target alone. Like those of losses.hpp they are of the unweighted
// loss and have the same bits for any number of threads.
#pragma once

#include <cstdint>

namespace ceiba {

// `below` where the score is below the target, `equal` where it hits it, `above` where it is above.
struct SlopeOfSign {
    double below, equal, above;
};
void sign_gradients(const double* scores, const double* target, const SlopeOfSign& slope,
                    double* gradients, std::int64_t n_rows, int n_threads);

// score - target, clipped to delta.
void huber_gradients(const double* scores, const double* target, double delta, double* gradients,
                     std::int64_t n_rows, int n_threads);

} // namespace ceiba
