// Column sampling: for a tree, a level of it and a node of it, each from the one before.
//
// A column's place in the lottery is a hash of (seed, round, tree, level or node, column), so the
// choice does not depend on the order in which nodes are looked at. Of n columns exactly max(1,
// round(fraction * n)) are taken.
//
// With weights the columns that are taken one after the other each have a chance in proportion to
// their weight among those that are left. That is the order of -log(u) / weight, with a uniform u
// for each column: the first of independent exponential clocks. Columns of weight 0 come last.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace ceiba {

struct ColumnKey {
    std::uint64_t seed = 0, round = 0, tree = 0;
};

// A share of the columns, in increasing order. `weights` are those of all columns of the table;
// none: all have the same chance.
std::vector<int> sample_columns(const std::vector<int>& from, double fraction, const ColumnKey& key,
                                std::uint64_t stage, std::uint64_t place,
                                std::span<const double> weights);
// A number of columns, or all of `from` where there are no more.
std::vector<int> draw_columns(const std::vector<int>& from, std::size_t wanted,
                              const ColumnKey& key, std::uint64_t stage, std::uint64_t place,
                              std::span<const double> weights);

// All of `from`, those that are drawn first first.
std::vector<int> columns_in_turn(const std::vector<int>& from, const ColumnKey& key,
                                 std::uint64_t stage, std::uint64_t place,
                                 std::span<const double> weights);

inline constexpr std::uint64_t kTreeStage = 1, kLevelStage = 2, kNodeStage = 3, kDrawnStage = 4;

// The random number of a column in a node, or in a level: hash64 of what all its columns share, and
// the column.
std::uint64_t lots_of(const ColumnKey& key, std::uint64_t stage, std::uint64_t place);
std::uint64_t lot_of(const ColumnKey& key, std::uint64_t stage, std::uint64_t place, int column);

} // namespace ceiba
