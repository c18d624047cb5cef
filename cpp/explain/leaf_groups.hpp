// Groups of neighboring leaves of a tree that share one lookup table.
//
// The contribution of a leaf depends on a row only through the conditions that it meets. A leaf
// group is a subtree whose leaves depend on at most eight different conditions:
//
//   the path to the node   one condition for each player on it
//   the splits below it    one condition for each distinct split
//
// A row's answers are the bits of a word, and all leaves of the group together have a table of 256
// entries for each player. A symmetric tree of up to eight levels is a single group.
//
//        .                   the word of a row:  | path: a | path: b | split 5 | split 9 |
//       / \                                                                           .
//      .   .     <- node     of a leaf each player has the bits that must be set, and those that
//     / \ / \               must not
//
// A leaf with more conditions is a group of its own, whose conditions are its players; with more
// than twelve it is "wide" and has no table.
#pragma once

#include "explain/leaf_paths.hpp"

#include <cstdint>
#include <vector>

namespace ceiba {

struct LeafGroup {
    std::int32_t first_leaf, n_leaves;
    std::int32_t first_condition, n_conditions;
    std::int32_t first_player, n_players;
    std::int64_t n_entries; // in the tables of its leaves

    bool is_wide() const { return n_conditions > kMostConditions; }
    // Number of entries of a table.
    std::int64_t n_patterns() const { return std::int64_t{1} << n_conditions; }
};

struct TreeLeafGroups {
    std::vector<LeafGroup> leaf_groups;
    std::vector<Condition> conditions;
    std::vector<PathEdge> edges;       // of conditions
    std::vector<std::int32_t> players; // of leaf groups
    // parallel to TreePaths::players; wide leaves have no bits
    std::vector<LeafPlayer> leaf_players;
};

TreeLeafGroups bundle_leaves(const TreeArrays& arrays, std::int64_t tree, const TreePaths& paths);

} // namespace ceiba
