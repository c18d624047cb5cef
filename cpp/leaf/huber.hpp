// The best constant of Huber's loss for weighted values.
//
// Half the square of a difference up to delta, and from there on delta times the difference, less
// what makes the two meet. The slope of the loss at x,
//
//     F(x) = sum of weight * clip(x - value, -delta, delta),
//
// rises in straight pieces that meet at value - delta and value + delta. Values are sorted; the
// piece in which F becomes 0 is found by bisection, and in the piece the root is that of a line.
//
// No root is farther than delta from the median m (half of the weight would pull it back with full
// force), so values are taken as differences from m, and what is beyond 2 delta is as good as at
// 2 delta. So slopes are exact integers in units that delta alone decides, however far values go.
#pragma once

#include "gradient/weighted_quantile.hpp"

#include <cstdint>
#include <span>

namespace ceiba {

// Sorts the values, of which there is at least one.
double huber_minimum(std::span<WeightedValue> values, double delta);
// The median, plus the mean difference from it, differences clipped to delta: Friedman's one step.
double huber_step(std::span<const WeightedValue> values, double delta);

} // namespace ceiba
