// Trees as flat arrays, one node after the other, one tree after the other.
//
//   tree_offsets  0        5              12
//   nodes         |tree 0  |tree 1        |
//
// Within a tree node 0 is the root and children come after their parent. `left` and `right` count
// from the tree's first node and are -1 for a leaf, whose `feature` is -1 too. x <= threshold goes
// left, a missing x goes left where missing_left is 1. Tree t belongs to output t % n_outputs.
#pragma once

#include <cstdint>
#include <vector>

namespace ceiba {

struct TreeArrays {
    std::vector<std::int64_t> tree_offsets; // n_trees + 1
    std::vector<std::int32_t> feature, left, right;
    std::vector<double> threshold;
    std::vector<std::uint8_t> missing_left;
    std::vector<double>
        value; // of a leaf: what it adds to the score; of a split: what it would add as a leaf
    std::vector<double> gain, cover, count;

    std::int64_t n_trees() const { return static_cast<std::int64_t>(tree_offsets.size()) - 1; }
    std::int64_t n_nodes() const { return static_cast<std::int64_t>(feature.size()); }
};

} // namespace ceiba
