// Constant leaves: the value that each leaf adds to the score of its rows.
//
// The value is the minimum of the regularized second-order objective, -soft(G) / (H + lambda),
// times the learning rate. G and H are the sums of tree/node_sums.hpp. Values stay within the
// bounds that monotone constraints set for their node (split/bounds.hpp).
#pragma once

#include "gradient/quantize.hpp"
#include "tree/grower.hpp"
#include "tree/tree_arrays.hpp"

namespace ceiba {

// Write the values and covers of all nodes. Inner nodes get the value they would have as leaves;
// nodes with too little hessian (leaf/inner_values.hpp) take their parent's. `extent` is that of
// the view over the rows of the tree.
void fit_constant_leaves(const GrownTree& tree, const GradientView& view, Extent extent,
                         const WeightFacts& weights, const GrowPlan& plan, double learning_rate,
                         int n_threads, std::span<double> values, std::span<double> covers);

} // namespace ceiba
