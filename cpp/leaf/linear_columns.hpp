// Chooses the regressors of a linear leaf.
//
//   path    columns of the splits above the leaf, from the root on
//   tree    columns of all splits of the tree, in descending order of their sum of gains
//   given   all columns that were read
//
// Uses the first max_linear_features of them (all of `given`). Columns that were not read, such as
// categories, are skipped.
#pragma once

#include "data/regressors.hpp"
#include "tree/node.hpp"
#include "tree/plan.hpp"

#include <cstdint>
#include <vector>

namespace ceiba {

// By node, ascending; empty for splits.
std::vector<std::vector<std::int32_t>>
linear_columns(const GrownTree& tree, const Regressors& regressors, const GrowPlan& plan);

} // namespace ceiba
