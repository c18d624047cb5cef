// Neighbouring leaves of a tree that are looked up together.
//
// What a leaf shares out depends on a row only through the conditions that it meets. A leaf_group is a
// part of the tree, from one node down, that asks at most eight different things of a row:
//
//   the way to the node    one condition for each player on it
//   the splits below it    one condition for each; splits that ask the same are one
//
// A row's answers are the bits of a word, and all leaves of the leaf_group together are a table of 256
// entries for each player. A symmetric tree of up to eight levels is a single leaf_group.
//
//        .                   the word of a row:   | way: a | way: b | split 5 | split 9 |
//       / \                                                                           .
//      .   .     <- node     of a leaf each player has the bits that must be set, and those that
//     / \ / \               must not
//
// A leaf that asks more is a leaf_group of its own, whose conditions are its players; with more than
// twelve it is "wide" and has no table.
#pragma once

#include "explain/leaf_paths.hpp"

#include <cstdint>
#include <vector>

namespace ceiba {

struct LeafGroup {
    std::int32_t first_leaf, n_leaves;
    std::int32_t first_condition, n_conditions;
    std::int32_t first_player, n_players;
    std::int64_t n_entries; // of the tables of its leaves

    bool is_wide() const { return n_conditions > kMostConditions; }
    // Entries of a table.
    std::int64_t n_patterns() const { return std::int64_t{1} << n_conditions; }
};

struct TreeLeafGroups {
    std::vector<LeafGroup> leaf_groups;
    std::vector<Condition> conditions;
    std::vector<PathEdge> edges;          // of conditions
    std::vector<std::int32_t> players;    // of leaf_groups
    std::vector<LeafPlayer> leaf_players; // beside TreePaths::players; of wide leaves no bits
};

TreeLeafGroups bundle_leaves(const TreeArrays& arrays, std::int64_t tree, const TreePaths& paths);

} // namespace ceiba
