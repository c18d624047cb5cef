// Gradients of losses that grow at most linearly: absolute error, quantile, Huber.
//
// All depend only on score - target. Like those of losses.hpp they are gradients of the unweighted
// loss and have the same bits for any number of threads.
#pragma once

#include <cstdint>
#include <span>

namespace ceiba {

// Slopes for a score below, equal to and above the target.
struct SlopeOfSign {
    double below, equal, above;
};
// The sum over the outputs of scores [slopes.size(), n_rows], each with its own slopes.
void sign_gradients(const double* scores, const double* target, std::span<const SlopeOfSign> slopes,
                    double* gradients, std::int64_t n_rows, int n_threads);

// score - target, clipped to delta.
void huber_gradients(const double* scores, const double* target, double delta, double* gradients,
                     std::int64_t n_rows, int n_threads);

} // namespace ceiba
