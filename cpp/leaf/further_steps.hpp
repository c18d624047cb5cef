// Newton steps of leaves after the first: towards the minimum of the leaf's own loss.
//
// With gradients G and hessians H at the scores that the value v gives its rows, the next value is
// the minimum of the regularised quadratic around v, -soft(G - H v) / (H + lambda).
//
// The slope of a convex loss rises with v, so every step tells on which side of v the minimum is.
// A step that would leave the interval that is known by now (Newton's steps of a logistic loss can
// run away from where its curvature is small) goes half way to its end instead.
#pragma once

#include "gradient/quantize.hpp"
#include "tree/bounds.hpp"
#include "tree/grower.hpp"

#include <span>

namespace ceiba {

// Changes the values of leaves, which the learning rate has not multiplied yet; `known` holds the
// intervals that are known, by node. After the first step, which started at 0, that is
// `known_after(value)`. Inner nodes and leaves without rows keep their values.
void step_leaves(const GrownTree& tree, const GradientView& view, const WeightFacts& weights,
                 const GrowPlan& plan, int n_threads, std::span<double> values,
                 std::span<Bounds> known);

Bounds known_after(double value);

} // namespace ceiba
