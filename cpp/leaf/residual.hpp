// Leaf values that are statistics of the residuals of their rows: a quantile, or the best constant
// of Huber's loss.
//
// The life of a fit:
//   1. The residuals, target - score, of the rows that the tree was grown on are copied leaf after
//      leaf:
//
//        residuals  | leaf 3      | leaf 4 | leaf 7         |
//
//   2. Each leaf is a task: its value is found by selection (quantile) or from sorted residuals
//      (Huber).
//   3. The value is limited to max_delta_step and multiplied by the learning rate. The penalties
//      reg_lambda and reg_alpha belong to the second-order objective and have no effect here.
//      Monotone constraints are applied afterwards (leaf/monotone_leaves.hpp).
//
// The rows of a leaf are in no particular order, and none is needed: a quantile is one of the
// values, and sums are integer sums.
#pragma once

#include "gradient/quantize.hpp"
#include "tree/grower.hpp"

#include <cstdint>
#include <span>

namespace ceiba {

// Write values and covers (sums of hessians) of the nodes of a tree; `scores`: those of one output. A split has the mean of its
// leaves, weighted by their covers; a leaf without rows (symmetric growth) takes its parent's
// value.
void fit_residual_leaves(const GrownTree& tree, const double* target, const double* scores,
                         std::int64_t n_rows, std::size_t output, const ResidualRule& rule,
                         double constant_hessian, const WeightFacts& weights, const GrowPlan& plan,
                         double learning_rate, int n_threads, std::span<double> values,
                         std::span<double> covers);

} // namespace ceiba
