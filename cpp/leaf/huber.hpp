// The best constant of Huber's loss for weighted values.
//
// The loss is half the squared difference up to delta and linear with slope delta beyond it. Its
// slope at x,
//
//     F(x) = sum of weight * clip(x - value, -delta, delta),
//
// is piecewise linear, with breakpoints at value - delta and value + delta. Values are sorted,
// bisection finds the piece in which F crosses 0, and a linear equation gives the root within the
// piece.
//
// No root is farther than delta from the median m (at least half of the weight would pull it back
// with full force). So values are differences from m, clipped to 2 delta, which does not change the
// root. So slopes are exact integers in units that depend only on delta, whatever the range of the
// values.
#pragma once

#include "gradient/weighted_quantile.hpp"

#include <cstdint>
#include <span>

namespace ceiba {

// Sorts the values; there must be at least one.
double huber_minimum(std::span<WeightedValue> values, double delta);
// The median plus the mean difference from it, with differences clipped to delta: Friedman's single
// step.
double huber_step(std::span<const WeightedValue> values, double delta);

} // namespace ceiba
