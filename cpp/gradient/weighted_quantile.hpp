// Weighted quantiles: the definition that start scores, leaves and Huber's delta share.
//
// The quantile of level q is the smallest value v such that the weights of the values up to v sum
// to at least q times the total weight. It is always one of the values, it minimizes the pinball
// loss of level q, and a value of weight k equals k values. (If several values minimize the loss it
// is the lowest.)
//
// Weights are summed as integers, and equal values have equal bits, so the result is a function of
// the multiset of (value, weight). It is found by selection in O(n) steps, without sorting.
#pragma once

#include "gradient/quantize.hpp"

#include <cstdint>
#include <vector>

namespace ceiba {

struct WeightedValue {
    double value;
    std::int64_t weight;
};

// Weights as integers: integer weights unchanged, others in units so fine that the sum of n_rows of
// them just fits, and at least 1.
class WeightUnits {
  public:
    WeightUnits(const WeightFacts& facts, std::int64_t n_rows);
    // With a known scale.
    WeightUnits(const double* weights, double scale)
        : weights_(weights), scale_(scale), unit_(1 / scale) {}

    std::int64_t operator[](std::int64_t row) const {
        if (weights_ == nullptr) return 1;
        const auto units = static_cast<std::int64_t>(weights_[row] * scale_);
        return units > 0 ? units : 1;
    }
    bool all_one() const { return weights_ == nullptr; }
    double unit() const { return unit_; } // the weight of one unit
    const double* weights() const { return weights_; }
    double scale() const { return scale_; }

  private:
    const double* weights_;
    double scale_ = 1, unit_ = 1;
};

// The weight that the quantile must reach, between 1 and total.
std::int64_t weight_to_reach(double level, std::int64_t total);

// Both reorder and overwrite the entries. n is at least 1 and `total` the sum of the weights; no
// NaN.
double select_quantile(double* values, std::int64_t n, double level);
double select_quantile(WeightedValue* values, std::int64_t n, std::int64_t total, double level);

// A copy of an array with its weights, which must be above 0. -0 becomes 0: they are equal, and so
// must have the same bits.
std::vector<WeightedValue> weighted_values(const double* values,
                                           const double* weights /* or nullptr */, std::int64_t n);

// The quantile of an array, which is not modified. There must be rows.
double weighted_quantile(const double* values, const double* weights /* or nullptr */,
                         std::int64_t n, double level);

} // namespace ceiba
