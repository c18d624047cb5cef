// Newton steps of leaves after the first: towards the minimum of the leaf's own loss.
//
// With gradients G and hessians H at the scores that the value v gives its rows, the next value is
// the minimum of the regularised quadratic around v, -soft(G - H v) / (H + lambda). Or the penalty is
// one of each step, as in CatBoost: v - soft(G) / (H + lambda), which many steps bring to the minimum
// without a penalty.
//
// The slope of a convex loss rises with v, so every step tells on which side of v the minimum is.
// A step that would leave the interval that is known by now (Newton's steps of a logistic loss can
// run away from where its curvature is small) goes half way to its end instead, unless the plan is
// not to backtrack. Where the loss has
// a log link, its minimum without penalties is known too (leaf/log_link.hpp), and no step goes past
// that.
#pragma once

#include "gradient/quantize.hpp"
#include "split/bounds.hpp"
#include "tree/grower.hpp"

#include <optional>
#include <span>

namespace ceiba {

// Where the minimum is, after the first step, from 0 to `value`.
Bounds known_after(double value);

// Changes the values of leaves, which the learning rate has not multiplied yet; `known` holds where
// their minima are, by node. Inner nodes and leaves without rows keep their values.
void step_leaves(const GrownTree& tree, const GradientView& view, const WeightFacts& weights,
                 const GrowPlan& plan, std::optional<double> log_link_power, int n_threads,
                 std::span<double> values, std::span<Bounds> known);

} // namespace ceiba
