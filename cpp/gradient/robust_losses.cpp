#include "gradient/robust_losses.hpp"

#include "parallel/rows.hpp"

#include <algorithm>

namespace ceiba {

// Only comparisons and subtractions: memory bandwidth limits these loops, so AVX2 gains nothing.

void sign_gradients(const double* scores, const double* target, std::span<const SlopeOfSign> slopes,
                    double* gradients, std::int64_t n_rows, int n_threads) {
    over_rows(n_rows, n_threads, [&](std::int64_t begin, std::int64_t end) {
        std::fill(gradients + begin, gradients + end, 0.0);
        const double* own = scores;
        for (const SlopeOfSign slope : slopes) {
            for (std::int64_t i = begin; i < end; ++i)
                gradients[i] += own[i] > target[i]   ? slope.above
                                : own[i] < target[i] ? slope.below
                                                     : slope.equal;
            own += n_rows;
        }
    });
}

void huber_gradients(const double* scores, const double* target, double delta, double* gradients,
                     std::int64_t n_rows, int n_threads) {
    over_rows(n_rows, n_threads, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t i = begin; i < end; ++i)
            gradients[i] = std::clamp(scores[i] - target[i], -delta, delta);
    });
}

} // namespace ceiba
