// Pruning after growth: splits that gain less than min_split_gain go, where nothing grows on them.
//
// A split goes if its gain is below min_split_gain and both children are leaves; its node is then a
// leaf itself, so the split above it may be next. A poor split above a good one stays: that is what
// growing first is for. Symmetric trees lose whole levels, the last one first, by the gain that the
// level shares.
#pragma once

#include "tree/grower.hpp"

#include <vector>

namespace ceiba {

// Where the rows of a node of the grown tree are afterwards.
struct Home {
    int node;      // number in the pruned tree
    bool had_rows; // it was a leaf, and holds rows of its own
};

// Removes splits as the plan says and numbers the rest anew, in their order. Returns the home of
// every node that was there.
std::vector<Home> prune(std::vector<Node>& nodes, const GrowPlan& plan);

} // namespace ceiba
