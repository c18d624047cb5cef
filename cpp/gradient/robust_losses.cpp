#include "gradient/robust_losses.hpp"

#include "base/settings.hpp"
#include "parallel/pool.hpp"

#include <algorithm>

namespace ceiba {

namespace {

// out[i] = slope(score - target). Comparisons and one subtraction: nothing for AVX2 to win, the
// loops wait for memory.
template <class Slope>
void for_rows(const double* scores, const double* target, double* out, std::int64_t n_rows,
              int n_threads, Slope slope) {
    const std::int64_t size = settings().chunk_rows;
    parallel_for(useful_threads(n_threads, n_rows), (n_rows + size - 1) / size,
                 [&](std::int64_t chunk) {
                     const std::int64_t end = std::min(n_rows, (chunk + 1) * size);
                     for (std::int64_t i = chunk * size; i < end; ++i)
                         out[i] = slope(scores[i] - target[i]);
                 });
}

} // namespace

void sign_gradients(const double* scores, const double* target, const SlopeOfSign& slope,
                    double* gradients, std::int64_t n_rows, int n_threads) {
    for_rows(scores, target, gradients, n_rows, n_threads, [=](double difference) {
        return difference > 0 ? slope.above : difference < 0 ? slope.below : slope.equal;
    });
}

void huber_gradients(const double* scores, const double* target, double delta, double* gradients,
                     std::int64_t n_rows, int n_threads) {
    for_rows(scores, target, gradients, n_rows, n_threads, [=](double difference) {
        return difference > delta ? delta : difference < -delta ? -delta : difference;
    });
}

} // namespace ceiba
