// Pruning after growth, by two rules.
//
// prune_after: a split is removed if its gain is below min_split_gain and both children are leaves.
// Repeated bottom-up, so a poor split above a good one stays. Symmetric trees lose whole levels, the
// last one first, by the gain of the level.
//
// Cost complexity (Breiman et al. 1984): each split costs ccp_alpha times the hessians of the tree. Of
// all trees that pruning can leave, the one with the largest gain minus cost stays (of several, the
// smallest). One pass from the leaves up finds it.
#pragma once

#include "tree/node.hpp"
#include "tree/plan.hpp"

#include <vector>

namespace ceiba {

// Removes splits and renumbers the remaining nodes in their order. `hessian`: the sum over all rows of
// the tree. Returns the home of every earlier node.
std::vector<Home> prune(std::vector<Node>& nodes, const GrowPlan& plan, double hessian);

} // namespace ceiba
