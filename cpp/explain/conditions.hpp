// Conditions of a row on the path to a leaf.
#pragma once

#include <cstdint>

namespace ceiba {

// One side of a split; the split is given by its number within the tree.
struct PathEdge {
    std::int32_t split;
    bool left;
};

// True if the row takes every edge.
struct Condition {
    std::int32_t first_edge, n_edges;
};

struct LeafPath {
    std::int32_t node; // counted from the root of the tree
    std::int32_t first_player, n_players;
};

// A player on the path of a leaf in a leaf group (leaf_groups.hpp): its condition holds if the
// row's word equals `want` under `mask`.
struct LeafPlayer {
    double share;       // of training rows that meet the condition
    std::int32_t place; // index of the player in its leaf_group
    std::uint16_t mask, want;
};

constexpr int kMostConditions = 12;     // bits of a word that indexes tables
constexpr int kMostOfSeveralLeaves = 8; // if leaves share a table

} // namespace ceiba
