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

#include "base/wide_integer.hpp"
#include "gradient/weighted_quantile.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace ceiba {

// Sorts the values; there must be at least one.
double huber_minimum(std::span<WeightedValue> values, double delta);
// The median plus the mean difference from it, with differences clipped to delta: Friedman's single
// step.
double huber_step(std::span<const WeightedValue> values, double delta);

// Fixed-point scale of differences, such that 2 delta is just below 2^60. With a sum of weights
// below 2^62 a sum of products stays below 2^122, and every slope below 2^124.
struct HuberUnits {
    double scale = 1;
    std::int64_t delta = 0;

    explicit HuberUnits(double given = 0);

    // A difference, clipped to `times` delta.
    std::int64_t clipped(double difference, std::int64_t times) const;
};

// The exact slope of the loss, from prefix sums over the sorted values.
class HuberSlope {
  public:
    HuberSlope(std::span<const WeightedValue> sorted, double median, const HuberUnits& units);

    struct Line {
        WideInt at_zero;
        std::int64_t rise;
        WideInt operator()(std::int64_t x) const { return at_zero + WideInt{rise} * x; }
    };

    // The linear piece of the slope around x.
    Line line_at(std::int64_t x) const;
    WideInt operator()(std::int64_t x) const { return line_at(x)(x); }
    const std::vector<std::int64_t>& values() const { return values_; }

  private:
    std::int64_t delta_;
    std::vector<std::int64_t> values_;  // sorted differences from the median
    std::vector<std::int64_t> weights_; // [i]: sum over the first i values
    std::vector<WideInt> sums_;
};

} // namespace ceiba
