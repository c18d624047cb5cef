#include "leaf/huber.hpp"

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

} // namespace

HuberUnits::HuberUnits(double given) {
    if (!(given > 0)) return;
    scale = power_of_two(std::clamp(59 - exponent_above(given), -1000, 1000));
    delta = std::llrint(given * scale);
}

std::int64_t HuberUnits::clipped(double difference, std::int64_t times) const {
    const auto limit = static_cast<double>(times * delta);
    return std::llrint(std::clamp(difference * scale, -limit, limit));
}

HuberSlope::HuberSlope(std::span<const WeightedValue> sorted, double median,
                       const HuberUnits& units)
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

HuberSlope::Line HuberSlope::line_at(std::int64_t x) const {
    const auto place = [&](std::vector<std::int64_t>::const_iterator at) {
        return static_cast<std::size_t>(at - values_.begin());
    };
    const std::size_t low = place(std::lower_bound(values_.begin(), values_.end(), x - delta_)),
                      high = place(std::upper_bound(values_.begin(), values_.end(), x + delta_));
    const std::int64_t below = weights_[low], above = weights_.back() - weights_[high];
    return {WideInt{delta_} * (below - above) - (sums_[high] - sums_[low]),
            weights_[high] - weights_[low]};
}

double huber_minimum(std::span<WeightedValue> values, double delta) {
    const double median = median_of(values, total_of(values));
    const HuberUnits units(delta);
    if (units.delta == 0) return median;
    ValueSort<WeightedValue>().sort(values.data(), std::ssize(values));
    const HuberSlope slope(values, median, units);
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
    const HuberSlope::Line line = slope.line_at(middle);
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
    const HuberUnits units(delta);
    WideInt sum = 0;
    for (const WeightedValue& entry : values)
        sum += WideInt{units.clipped(entry.value - median, 1)} * entry.weight;
    return median + static_cast<double>(sum) / units.scale / static_cast<double>(total);
}

} // namespace ceiba
