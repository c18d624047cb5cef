#include "gradient/robust_losses.hpp"

#include "base/settings.hpp"
#include "parallel/pool.hpp"

#include <algorithm>

namespace ceiba {

namespace {

// run(begin, end) for chunks that cover all rows. Comparisons and subtractions: nothing for AVX2 to
// win, the loops wait for memory.
template <class Run>
void for_chunks(std::int64_t n_rows, int n_threads, Run run) {
    const std::int64_t size = settings().chunk_rows;
    parallel_for(
        useful_threads(n_threads, n_rows), (n_rows + size - 1) / size,
        [&](std::int64_t chunk) { run(chunk * size, std::min(n_rows, (chunk + 1) * size)); });
}

} // namespace

void sign_gradients(const double* scores, const double* target, std::span<const SlopeOfSign> slopes,
                    double* gradients, std::int64_t n_rows, int n_threads) {
    for_chunks(n_rows, n_threads, [&](std::int64_t begin, std::int64_t end) {
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
    for_chunks(n_rows, n_threads, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t i = begin; i < end; ++i)
            gradients[i] = std::clamp(scores[i] - target[i], -delta, delta);
    });
}

} // namespace ceiba
