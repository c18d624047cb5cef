#include "sample/rows.hpp"

#include "base/math.hpp"
#include "parallel/rows.hpp"
#include "sample/collect.hpp"
#include "sample/cut.hpp"

#include <atomic>

namespace ceiba {

std::vector<std::int32_t> bernoulli_rows(const RowKey& key, const Candidates& from, double fraction,
                                         int n_threads) {
    const RowNumbers numbers(key);
    const std::uint64_t limit = RowNumbers::limit_of(fraction);
    const auto row_of = [&](std::int64_t i) { return from[i]; };
    std::vector<std::int32_t> rows = collect_rows(
        from.n, n_threads, [&](std::int64_t i) { return numbers.is_below(from[i], limit); },
        row_of);
    if (rows.empty() && from.n > 0) {
        std::int32_t smallest = from[0];
        for (std::int64_t i = 1; i < from.n; ++i)
            if (numbers[from[i]] < numbers[smallest]) smallest = from[i];
        rows.push_back(smallest);
    }
    return rows;
}

std::vector<std::int32_t> uniform_rows(const RowKey& key, const Candidates& from,
                                       std::int64_t wanted, int n_threads) {
    const RowNumbers numbers(key);
    const auto row_of = [&](std::int64_t i) { return from[i]; };
    if (wanted >= from.n)
        return collect_rows(from.n, n_threads, [](std::int64_t) { return true; }, row_of);
    const auto hash_of = [&](std::int64_t i) { return numbers.hash(from[i]); };
    const Cut cut = find_cut<12>(
        from.n, wanted, n_threads, [&](std::int64_t i) { return hash_of(i) >> 52; }, hash_of);
    return collect_rows(
        from.n, n_threads, [&](std::int64_t i) { return cut.takes(hash_of(i), i); }, row_of);
}

SampledRows bootstrap_rows(const RowKey& key, std::int64_t n_rows, std::int64_t n_draws,
                           int n_threads) {
    const RowNumbers numbers(key);
    std::vector<std::uint32_t> counts(static_cast<std::size_t>(n_rows), 0);
    const auto n = static_cast<std::uint64_t>(n_rows);
    over_rows(n_draws, n_threads, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t draw = begin; draw < end; ++draw) {
            // The top 32 bits as a fraction of the rows.
            const std::uint64_t row = ((numbers.hash(draw) >> 32) * n) >> 32;
            std::atomic_ref(counts[static_cast<std::size_t>(row)])
                .fetch_add(1, std::memory_order_relaxed);
        }
    });
    const auto times = [&](std::int64_t row) { return counts[static_cast<std::size_t>(row)]; };
    return collect_multiplied(
        n_rows, n_threads, [&](std::int64_t row) { return times(row) != 0; },
        [&](std::int64_t row) { return static_cast<double>(times(row)); });
}

std::vector<double> bayesian_multipliers(const RowKey& key, std::int64_t n_rows, double temperature,
                                         int n_threads) {
    const RowNumbers numbers(key);
    std::vector<double> out(static_cast<std::size_t>(n_rows));
    over_rows(n_rows, n_threads, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t row = begin; row < end; ++row) {
            // Strictly between 0 and 1, so that the logarithm is finite and not 0.
            const double unit = (static_cast<double>(numbers.hash(row) >> 12) + 0.5) * 0x1.0p-52;
            const double clock = -math::log(unit);
            out[static_cast<std::size_t>(row)] =
                temperature == 1 ? clock : math::exp(temperature * math::log(clock));
        }
    });
    return out;
}

} // namespace ceiba
