#include "data/binning/sparse_edges.hpp"

#include "data/binning/edge_rule.hpp"
#include "parallel/pool.hpp"

#include <algorithm>

namespace ceiba {

namespace {

struct Entry {
    double value;
    std::uint64_t weight;
};

// Buffers that a thread reuses for each column.
struct EdgeScratch {
    std::vector<Entry> entries;
    std::vector<double> values;
    Ladder ladder;
};

std::uint64_t weight_of_all(const EdgeWeights& units, std::int64_t n_rows) {
    if (units.weights == nullptr) return static_cast<std::uint64_t>(n_rows);
    std::uint64_t total = 0;
    for (std::int64_t row = 0; row < n_rows; ++row) total += units.of(row);
    return total;
}

FoundEdges find_edges_of(const Column& column, const EdgeWeights& units, std::uint64_t all,
                         const EdgeRule& rule, EdgeScratch& scratch) {
    FoundEdges found;
    scratch.entries.clear();
    std::uint64_t left = all; // weight of the rows without an entry
    for (std::size_t c = 0; c < column.chunks().size(); ++c) {
        const ColumnChunk& chunk = column.chunks()[c];
        const std::int64_t first_row = column.first_row(c);
        scratch.values.resize(static_cast<std::size_t>(chunk.n_entries));
        read_entries(chunk, 0, chunk.n_entries, scratch.values.data());
        for (std::int64_t i = 0; i < chunk.n_entries; ++i) {
            const double value = scratch.values[static_cast<std::size_t>(i)];
            const std::uint64_t weight =
                units.weights == nullptr ? 1 : units.of(first_row + chunk.rows[i]);
            left -= weight;
            if (value == value)
                scratch.entries.push_back({value, weight});
            else
                found.has_missing = true;
        }
    }
    const double absent = column.absent();
    if (left > 0) {
        if (absent == absent)
            scratch.entries.push_back({absent, left});
        else
            found.has_missing = true;
    }
    // Often sorted already: most sparse columns hold one value besides `absent`.
    const auto below = [](const Entry& a, const Entry& b) { return a.value < b.value; };
    if (!std::is_sorted(scratch.entries.begin(), scratch.entries.end(), below))
        std::sort(scratch.entries.begin(), scratch.entries.end(), below);
    scratch.ladder.clear();
    for (const Entry& entry : scratch.entries) {
        if (scratch.ladder.empty() || scratch.ladder.back().value != entry.value)
            scratch.ladder.push_back({entry.value, 0, -1});
        scratch.ladder.back().weight += entry.weight;
    }
    found.edges = choose_edges(scratch.ladder, rule).edges;
    return found;
}

} // namespace

std::vector<FoundEdges> find_sparse_edges(const std::vector<const Column*>& columns,
                                          const EdgeWeights& units, std::int64_t max_value_bins,
                                          int n_threads) {
    std::vector<FoundEdges> found(columns.size());
    if (columns.empty()) return found;
    const EdgeRule rule{max_value_bins, units.min_weight};
    const std::uint64_t all = weight_of_all(units, columns.front()->n_rows());
    std::int64_t work = 0;
    for (const Column* column : columns) work += 8 * column->n_entries() + 64;
    constexpr std::int64_t kAtOnce = 64;
    const std::int64_t n = std::ssize(columns);
    parallel_for(useful_threads(n_threads, work), (n + kAtOnce - 1) / kAtOnce, [&](std::int64_t t) {
        EdgeScratch scratch;
        for (std::int64_t j = t * kAtOnce; j < std::min(n, (t + 1) * kAtOnce); ++j) {
            const auto place = static_cast<std::size_t>(j);
            found[place] = find_edges_of(*columns[place], units, all, rule, scratch);
        }
    });
    return found;
}

} // namespace ceiba
