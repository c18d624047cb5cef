// Decomposes a tree into leaves, each a product of conditions, one per player on its path.
//
// A player is the unit of attribution: a column of the user's table. Several engine columns may
// belong to one player (the statistics of one column); their splits on a path form one condition.
//
//        a <= 3               leaf 2:  player a: root left, node 1 right    share 0.6 * 0.5
//       /      \                       player b: node 2 left                share 0.2
//   b <= 1    leaf 1
//   /    \                    A leaf adds its value where every condition holds. Of a player that is
// ...    a <= 2               absent, the training rows decide: its condition counts as its share.
//
// The share of a child is its fraction of the training rows of its parent. If neither child has
// rows (a symmetric tree splits empty nodes too), both count half: their leaves add the same.
#pragma once

#include "explain/conditions.hpp"
#include "tree/tree_arrays.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace ceiba {

struct PathPlayer {
    std::int32_t player;
    std::int32_t first_edge, n_edges;
    double share;
};

struct TreePaths {
    std::vector<LeafPath> leaves;    // from left to right
    std::vector<PathPlayer> players; // of a leaf, in the order of its path
    std::vector<PathEdge> edges;
    std::vector<std::int32_t> depths; // of the splits of edges

    std::span<const PathPlayer> players_of(const LeafPath& leaf) const {
        return std::span(players).subspan(static_cast<std::size_t>(leaf.first_player),
                                          static_cast<std::size_t>(leaf.n_players));
    }
    std::span<const PathEdge> edges_of(const PathPlayer& player) const {
        return std::span(edges).subspan(static_cast<std::size_t>(player.first_edge),
                                        static_cast<std::size_t>(player.n_edges));
    }
};

TreePaths leaf_paths(const TreeArrays& arrays, std::int64_t tree,
                     std::span<const std::int32_t> player_of_column);

} // namespace ceiba
