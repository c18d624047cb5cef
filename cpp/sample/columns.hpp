// Column sampling: for a tree, a level of it and a node of it, each from the one before.
//
// A column's place in the lottery is a hash of (seed, round, tree, level or node, column), so the
// choice does not depend on the order in which nodes are looked at. Of n columns exactly max(1,
// round(fraction * n)) are taken.
#pragma once

#include <cstdint>
#include <vector>

namespace ceiba {

struct ColumnKey {
    std::uint64_t seed = 0, round = 0, tree = 0;
};

// Columns in increasing order.
std::vector<int> sample_columns(const std::vector<int>& from, double fraction, const ColumnKey& key,
                                std::uint64_t stage, std::uint64_t place);

inline constexpr std::uint64_t kTreeStage = 1, kLevelStage = 2, kNodeStage = 3;

} // namespace ceiba
