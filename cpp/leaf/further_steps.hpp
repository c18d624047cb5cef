// Newton steps of leaves after the first: towards the minimum of the leaf's own loss.
//
// With gradients G and hessians H at the scores that include the value v, the next value is the
// minimum of the regularized quadratic around v, -soft(G - H v) / (H + lambda). Or each step has
// its own penalty, as in CatBoost: v - soft(G) / (H + lambda), which converges to the minimum
// without a penalty.
//
// The slope of a convex loss increases with v, so every step shows on which side of v the minimum
// is. Newton steps that would leave the known interval of the minimum are halved (backtracking),
// unless the plan disables it: those of a logistic loss can diverge where its curvature is small.
// If the loss has a log link, its minimum without penalties is known too (leaf/log_link.hpp), and
// no step goes past it.
#pragma once

#include "gradient/quantize.hpp"
#include "split/bounds.hpp"
#include "tree/grower.hpp"
#include "tree/node_sums.hpp"

#include <optional>
#include <span>

namespace ceiba {

// The interval of the minimum after the first step from 0 to `value`.
Bounds known_after(double value);

// One Newton step of one leaf, given the sums at the scores that include its value: the first step,
// from 0, and any later one.
double first_step(const NodeSum& sum, double lambda, const GrowPlan& plan,
                  std::optional<double> log_link_power);
double further_step(double value, const NodeSum& sum, double lambda, const GrowPlan& plan,
                    std::optional<double> log_link_power, Bounds& known);

// Update the values of leaves, before multiplication by the learning rate; `known` holds the
// intervals of their minima by node. Inner nodes and leaves without rows keep their values.
void step_leaves(const GrownTree& tree, const GradientView& view, const WeightFacts& weights,
                 const GrowPlan& plan, std::optional<double> log_link_power, int n_threads,
                 std::span<double> values, std::span<Bounds> known);

} // namespace ceiba
