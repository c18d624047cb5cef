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

struct LeafPath {
    std::int32_t node; // counted from the root of the tree
    std::int32_t first_player, n_players;
};

// A player on the path of a leaf of a leaf_group (leaf_groups.hpp): its condition holds where the word of a row
// has the bits of `want` under `mask`.
struct LeafPlayer {
    double share;       // of training rows that meet the condition
    std::int32_t place; // of the player in its leaf_group
    std::uint16_t mask, want;
};

constexpr int kMostConditions = 12;     // of a word, which tables are looked up by
constexpr int kMostOfSeveralLeaves = 8; // where leaves share a table

} // namespace ceiba
