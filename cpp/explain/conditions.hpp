// What is asked of a row on the way to a leaf.
#pragma once

#include <cstdint>

namespace ceiba {

// One way out of a split, which is given by its number among the splits of the tree.
struct PathEdge {
    std::int32_t split;
    bool left;
};

// Holds where every edge is taken.
struct Condition {
    std::int32_t first_edge, n_edges;
};

constexpr int kMostConditions = 12;      // of a word, which tables are looked up by
constexpr int kMostOfSeveralLeaves = 8; // where leaves share a table

} // namespace ceiba
