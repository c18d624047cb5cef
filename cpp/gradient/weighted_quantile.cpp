#include "gradient/weighted_quantile.hpp"

#include "base/buffer.hpp"
#include "base/errors.hpp"

#include <algorithm>
#include <cmath>

namespace ceiba {

WeightUnits::WeightUnits(const WeightFacts& facts, std::int64_t n_rows) : weights_(facts.weights) {
    if (weights_ == nullptr || facts.whole || !(facts.largest > 0)) return;
    const int exponent =
        std::clamp(62 - exponent_above(static_cast<double>(n_rows)) - exponent_above(facts.largest),
                   -1000, 1000);
    scale_ = power_of_two(exponent);
    unit_ = power_of_two(-exponent);
}

std::int64_t weight_to_reach(double level, std::int64_t total, bool upper) {
    const double share = level * static_cast<double>(total);
    const double units = upper ? std::floor(share) + 1.0 : std::ceil(share);
    if (!(units < static_cast<double>(total))) return total;
    return std::max<std::int64_t>(1, static_cast<std::int64_t>(units));
}

double select_quantile(double* values, std::int64_t n, double level, bool upper) {
    double* const at = values + (weight_to_reach(level, n, upper) - 1);
    std::nth_element(values, at, values + n);
    return *at;
}

double select_quantile(WeightedValue* values, std::int64_t n, std::int64_t total, double level,
                       bool upper) {
    const auto less = [](const WeightedValue& a, const WeightedValue& b) {
        return a.value < b.value;
    };
    // The quantile lies in [begin, end), and `rest` is to be reached by the weights from begin on.
    WeightedValue *begin = values, *end = values + n;
    std::int64_t rest = weight_to_reach(level, total, upper);
    while (end - begin > 1) {
        WeightedValue* const middle = begin + (end - begin) / 2;
        std::nth_element(begin, middle, end, less);
        std::int64_t below = 0;
        for (const WeightedValue* at = begin; at < middle; ++at) below += at->weight;
        if (rest <= below) {
            end = middle;
        } else {
            rest -= below;
            begin = middle;
        }
    }
    return begin->value;
}

std::vector<WeightedValue> weighted_values(const double* values, const double* weights,
                                           std::int64_t n) {
    const WeightUnits units(WeightFacts::of(weights, n, true), n);
    std::vector<WeightedValue> copy;
    copy.reserve(static_cast<std::size_t>(n));
    for (std::int64_t i = 0; i < n; ++i) copy.push_back({values[i] + 0.0, units[i]});
    return copy;
}

double weighted_quantile(const double* values, const double* weights, std::int64_t n, double level,
                         bool upper) {
    if (n == 0) throw InputError("a quantile needs at least one row. Got none.");
    if (weights == nullptr) {
        Buffer<double> copy(static_cast<std::size_t>(n));
        for (std::int64_t i = 0; i < n; ++i) copy[static_cast<std::size_t>(i)] = values[i] + 0.0;
        return select_quantile(copy.data(), n, level, upper);
    }
    std::vector<WeightedValue> copy = weighted_values(values, weights, n);
    std::int64_t total = 0;
    for (const WeightedValue& entry : copy) total += entry.weight;
    return select_quantile(copy.data(), n, total, level, upper);
}

} // namespace ceiba
