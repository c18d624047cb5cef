// Pruning after growth, by two rules.
//
// Splits that gain less than min_split_gain go, where nothing grows on them.
//
// A split goes if its gain is below min_split_gain and both children are leaves; its node is then a
// leaf itself, so the split above it may be next. A poor split above a good one stays: that is what
// growing first is for. Symmetric trees lose whole levels, the last one first, by the gain that the
// level shares.
//
// Then splits go that cost more than they gain (cost-complexity pruning, Breiman et al. 1984): each
// split costs ccp_alpha times the hessians of the tree, and of all trees that cutting can leave,
// the one whose gains less costs are largest stays (of several, the smallest). What a split and
// those on it are worth follows from its two sides, so one pass from the leaves up finds it.
#pragma once

#include "tree/node.hpp"
#include "tree/plan.hpp"

#include <vector>

namespace ceiba {

// Removes splits as the plan says and numbers the rest anew, in their order; `hessian` is the sum
// over all rows of the tree. Returns the home of every node that was there.
std::vector<Home> prune(std::vector<Node>& nodes, const GrowPlan& plan, double hessian);

} // namespace ceiba
