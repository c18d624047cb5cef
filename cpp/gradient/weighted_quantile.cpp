#include "gradient/weighted_quantile.hpp"

#include "base/buffer.hpp"
#include "base/errors.hpp"

#include <algorithm>
#include <array>
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

std::int64_t weight_to_reach(double level, std::int64_t total) {
    const double units = std::ceil(level * static_cast<double>(total));
    if (!(units < static_cast<double>(total))) return total;
    return std::max<std::int64_t>(1, static_cast<std::int64_t>(units));
}

namespace {

double value_in(double entry) {
    return entry;
}
double value_in(const WeightedValue& entry) {
    return entry.value;
}
std::int64_t weight_in(double) {
    return 1;
}
std::int64_t weight_in(const WeightedValue& entry) {
    return entry.weight;
}

// Keep the entries of one of many equal cells between the smallest and the largest value: the cell
// in which the weights reach `rest`; subtract the earlier cells from `rest`. Three branchless
// passes, unlike partitioning around pivots. Returns false if the cells do not separate values.
template <class Entry>
bool keep_one_cell(Entry* entries, std::int64_t& n, std::int64_t& rest) {
    constexpr std::int64_t kCells = 2048;
    double low = value_in(entries[0]), high = low;
    for (std::int64_t i = 1; i < n; ++i) {
        const double value = value_in(entries[i]);
        low = value < low ? value : low;
        high = value > high ? value : high;
    }
    const double scale = static_cast<double>(kCells - 1) / (high - low);
    if (!(scale > 0) || !std::isfinite(scale)) return false;
    // Monotone, so the cells are in order.
    const auto cell_of = [=](const Entry& entry) {
        return static_cast<std::int64_t>((value_in(entry) - low) * scale);
    };
    std::array<std::int64_t, kCells + 1> weights{};
    for (std::int64_t i = 0; i < n; ++i)
        weights[static_cast<std::size_t>(cell_of(entries[i]))] += weight_in(entries[i]);
    std::int64_t cell = 0;
    while (rest > weights[static_cast<std::size_t>(cell)])
        rest -= weights[static_cast<std::size_t>(cell++)];
    std::int64_t kept = 0;
    for (std::int64_t i = 0; i < n; ++i) {
        const Entry entry = entries[i];
        entries[kept] = entry;
        kept += cell_of(entry) == cell ? 1 : 0;
    }
    n = kept;
    return true;
}

// The smallest value up to which the weights sum to at least `rest`.
template <class Entry>
double select(Entry* entries, std::int64_t n, std::int64_t rest) {
    constexpr std::int64_t kFew = 1024;
    for (int round = 0; round < 4 && n > kFew; ++round)
        if (!keep_one_cell(entries, n, rest)) break;
    const auto less = [](const Entry& a, const Entry& b) { return value_in(a) < value_in(b); };
    // The result is in [begin, end).
    Entry *begin = entries, *end = entries + n;
    while (end - begin > 1) {
        Entry* const middle = begin + (end - begin) / 2;
        std::nth_element(begin, middle, end, less);
        std::int64_t below = 0;
        for (const Entry* at = begin; at < middle; ++at) below += weight_in(*at);
        if (rest <= below) {
            end = middle;
        } else {
            rest -= below;
            begin = middle;
        }
    }
    return value_in(*begin);
}

} // namespace

double select_quantile(double* values, std::int64_t n, double level) {
    return select(values, n, weight_to_reach(level, n));
}

double select_quantile(WeightedValue* values, std::int64_t n, std::int64_t total, double level) {
    return select(values, n, weight_to_reach(level, total));
}

std::vector<WeightedValue> weighted_values(const double* values, const double* weights,
                                           std::int64_t n) {
    const WeightUnits units(WeightFacts::of(weights, n, true, 1), n);
    std::vector<WeightedValue> copy;
    copy.reserve(static_cast<std::size_t>(n));
    for (std::int64_t i = 0; i < n; ++i) copy.push_back({values[i] + 0.0, units[i]});
    return copy;
}

double weighted_quantile(const double* values, const double* weights, std::int64_t n,
                         double level) {
    if (n == 0) throw InputError("A quantile needs at least one row. Got none.");
    if (weights == nullptr) {
        Buffer<double> copy(static_cast<std::size_t>(n));
        for (std::int64_t i = 0; i < n; ++i) copy[static_cast<std::size_t>(i)] = values[i] + 0.0;
        return select_quantile(copy.data(), n, level);
    }
    std::vector<WeightedValue> copy = weighted_values(values, weights, n);
    std::int64_t total = 0;
    for (const WeightedValue& entry : copy) total += entry.weight;
    return select_quantile(copy.data(), n, total, level);
}

} // namespace ceiba
