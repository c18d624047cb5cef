// Which columns the line of a leaf may have as its regressors.
//
//   path    those by which the nodes above the leaf split, from the root on
//   tree    those by which the tree splits, that with the largest sum of gains first
//   given   all that were read
//
// The first max_linear_features of them (all of those that are given). Columns that were not read, such
// as categories, are none.
#pragma once

#include "data/regressors.hpp"
#include "tree/node.hpp"
#include "tree/plan.hpp"

#include <cstdint>
#include <vector>

namespace ceiba {

// By node, ascending; splits have none.
std::vector<std::vector<std::int32_t>>
linear_columns(const GrownTree& tree, const Regressors& regressors, const GrowPlan& plan);

} // namespace ceiba
