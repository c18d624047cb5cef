// Column sampling per tree, level and node, each from the columns of the one before.
//
// Each column draws a lot: a hash of (seed, round, tree, level or node, column). So the choice does
// not depend on the order in which nodes are processed. Of n columns exactly max(1, round(fraction
// * n)) are taken.
//
// With weights, columns are drawn one after the other, each with probability proportional to its
// weight among the remaining ones. That is the order of -log(u) / weight, with a uniform u per
// column: the first of independent exponential clocks. Columns of weight 0 come last.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace ceiba {

struct ColumnKey {
    std::uint64_t seed = 0, round = 0, tree = 0;
};

// A fraction of the columns, in increasing order. `weights`: one per column of the table; empty:
// equal chances.
std::vector<int> sample_columns(const std::vector<int>& from, double fraction, const ColumnKey& key,
                                std::uint64_t stage, std::uint64_t place,
                                std::span<const double> weights);
// `wanted` columns, or all of `from` if there are no more.
std::vector<int> draw_columns(const std::vector<int>& from, std::size_t wanted,
                              const ColumnKey& key, std::uint64_t stage, std::uint64_t place,
                              std::span<const double> weights);

// All of `from`, in the order in which they are drawn.
std::vector<int> columns_in_turn(const std::vector<int>& from, const ColumnKey& key,
                                 std::uint64_t stage, std::uint64_t place,
                                 std::span<const double> weights);

inline constexpr std::uint64_t kTreeStage = 1, kLevelStage = 2, kNodeStage = 3, kDrawnStage = 4;

// The random number of a column in a node, or in a level: hash64 of what all its columns share, and
// the column.
std::uint64_t lots_of(const ColumnKey& key, std::uint64_t stage, std::uint64_t place);
std::uint64_t lot_of(const ColumnKey& key, std::uint64_t stage, std::uint64_t place, int column);

} // namespace ceiba
