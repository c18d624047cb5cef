// Gradients of losses that grow no faster than the error: absolute error, quantile, Huber.
//
// All are functions of score - target alone. Like those of losses.hpp they are of the unweighted
// loss and have the same bits for any number of threads.
#pragma once

#include <cstdint>
#include <span>

namespace ceiba {

// `below` where the score is below the target, `equal` where it hits it, `above` where it is above.
struct SlopeOfSign {
    double below, equal, above;
};
// The sum over the rows of scores [slopes.size(), n_rows], each with a slope of its own.
void sign_gradients(const double* scores, const double* target, std::span<const SlopeOfSign> slopes,
                    double* gradients, std::int64_t n_rows, int n_threads);

// score - target, clipped to delta.
void huber_gradients(const double* scores, const double* target, double delta, double* gradients,
                     std::int64_t n_rows, int n_threads);

} // namespace ceiba
