#include "leaf/huber.hpp"

#include "base/wide_integer.hpp"
#include "data/sorting/value_sort.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace ceiba {

namespace {

std::int64_t total_of(std::span<const WeightedValue> values) {
    std::int64_t total = 0;
    for (const WeightedValue& entry : values) total += entry.weight;
    return total;
}

double median_of(std::span<const WeightedValue> values, std::int64_t total) {
    std::vector<WeightedValue> copy(values.begin(), values.end());
    return select_quantile(copy.data(), std::ssize(copy), total, 0.5);
}

// Fixed-point scale of differences, such that 2 delta is just below 2^60. With a sum of weights
// below 2^62 a sum of products stays below 2^122, and every slope below 2^124.
struct Units {
    double scale = 1;
    std::int64_t delta = 0;

    explicit Units(double given) {
        if (!(given > 0)) return;
        scale = power_of_two(std::clamp(59 - exponent_above(given), -1000, 1000));
        delta = std::llrint(given * scale);
    }

    // A difference, clipped to `times` delta.
    std::int64_t clipped(double difference, std::int64_t times) const {
        const auto limit = static_cast<double>(times * delta);
        return std::llrint(std::clamp(difference * scale, -limit, limit));
    }
};

// The exact slope of the loss, from prefix sums over the sorted values.
class Slope {
  public:
    Slope(std::span<const WeightedValue> sorted, double median, const Units& units)
        : delta_(units.delta) {
        values_.reserve(sorted.size());
        weights_.reserve(sorted.size() + 1);
        sums_.reserve(sorted.size() + 1);
        weights_.push_back(0);
        sums_.push_back(0);
        for (const WeightedValue& entry : sorted) {
            values_.push_back(units.clipped(entry.value - median, 2));
            weights_.push_back(weights_.back() + entry.weight);
            sums_.push_back(sums_.back() + WideInt{values_.back()} * entry.weight);
        }
    }

    struct Line {
        WideInt at_zero;
        std::int64_t rise;
        WideInt operator()(std::int64_t x) const { return at_zero + WideInt{rise} * x; }
    };

    // The linear piece of the slope around x.
    Line line_at(std::int64_t x) const {
        const std::size_t low = place(std::lower_bound(values_.begin(), values_.end(), x - delta_)),
                          high =
                              place(std::upper_bound(values_.begin(), values_.end(), x + delta_));
        const std::int64_t below = weights_[low], above = weights_.back() - weights_[high];
        return {WideInt{delta_} * (below - above) - (sums_[high] - sums_[low]),
                weights_[high] - weights_[low]};
    }

    WideInt operator()(std::int64_t x) const { return line_at(x)(x); }
    const std::vector<std::int64_t>& values() const { return values_; }

  private:
    std::size_t place(std::vector<std::int64_t>::const_iterator at) const {
        return static_cast<std::size_t>(at - values_.begin());
    }

    std::int64_t delta_;
    std::vector<std::int64_t> values_;  // sorted differences from the median
    std::vector<std::int64_t> weights_; // [i]: sum over the first i values
    std::vector<WideInt> sums_;
};

} // namespace

double huber_minimum(std::span<WeightedValue> values, double delta) {
    const double median = median_of(values, total_of(values));
    const Units units(delta);
    if (units.delta == 0) return median;
    ValueSort<WeightedValue>().sort(values.data(), std::ssize(values));
    const Slope slope(values, median, units);
    // The piece [left, right] in which the slope crosses 0.
    std::int64_t left = -units.delta, right = units.delta;
    for (const std::int64_t shift : {-units.delta, units.delta}) {
        const auto begin = slope.values().begin(), end = slope.values().end();
        const auto after = std::partition_point(
            begin, end, [&](std::int64_t value) { return slope(value + shift) <= 0; });
        if (after != begin) left = std::max(left, *std::prev(after) + shift);
        if (after != end) right = std::min(right, *after + shift);
    }
    right = std::max(left, right);
    const std::int64_t middle = left + (right - left) / 2;
    const Slope::Line line = slope.line_at(middle);
    // With zero rise every point of the piece is a minimum.
    const double root =
        line.rise > 0
            ? std::clamp(-static_cast<double>(line.at_zero) / static_cast<double>(line.rise),
                         static_cast<double>(left), static_cast<double>(right))
            : static_cast<double>(middle);
    return median + root / units.scale;
}

double huber_step(std::span<const WeightedValue> values, double delta) {
    const std::int64_t total = total_of(values);
    const double median = median_of(values, total);
    const Units units(delta);
    WideInt sum = 0;
    for (const WeightedValue& entry : values)
        sum += WideInt{units.clipped(entry.value - median, 1)} * entry.weight;
    return median + static_cast<double>(sum) / units.scale / static_cast<double>(total);
}

} // namespace ceiba
