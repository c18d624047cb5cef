#include "gradient/output_sums.hpp"

#include "parallel/rows.hpp"

#include <algorithm>
#include <cstddef>

namespace ceiba {

void sum_outputs(const double* values, std::span<const double> factors, std::int64_t n_rows,
                 double* sums, int n_threads) {
    // Block size such that the sums stay in the cache while all outputs are added.
    constexpr std::int64_t kBlock = 1024;
    over_rows(n_rows, n_threads, [&](std::int64_t begin, std::int64_t end) {
        alignas(64) double block[kBlock];
        for (std::int64_t first = begin; first < end; first += kBlock) {
            const std::int64_t n = std::min(kBlock, end - first);
            std::fill_n(block, n, 0.0);
            for (std::size_t k = 0; k < factors.size(); ++k) {
                const double* own = values + static_cast<std::int64_t>(k) * n_rows + first;
                const double factor = factors[k];
                for (std::int64_t i = 0; i < n; ++i) block[i] += own[i] * factor;
            }
            std::copy_n(block, n, sums + first);
        }
    });
}

} // namespace ceiba
