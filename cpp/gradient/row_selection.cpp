#include "gradient/row_selection.hpp"

#include "base/errors.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>

namespace ceiba {

namespace {

std::string shown(double value) {
    char text[40];
    std::snprintf(text, sizeof text, "%g", value);
    return text;
}

template <class RowOf>
WeightFacts facts_of(const double* weights, std::int64_t n, bool weighted_counts, RowOf row_of) {
    WeightFacts facts;
    facts.weights = weights;
    if (weights == nullptr) return facts;
    // More repeats than this leave too few bits for one row; such weights are as good as real
    // numbers.
    constexpr double kMostWhole = 0x1p30;
    double sum = 0; // exact while the weights are whole and the sum is below 2^53
    double largest = 0;
    for (std::int64_t i = 0; i < n; ++i) {
        const double w = weights[row_of(i)];
        if (!(w > 0) || !std::isfinite(w))
            throw InputError("weights must be positive and finite where rows are grown. Got " +
                             shown(w) + ".");
        largest = std::max(largest, w);
        if (facts.whole && (w != std::floor(w) || (sum += w) >= kMostWhole)) facts.whole = false;
    }
    facts.largest = largest;
    facts.counted = facts.whole && weighted_counts;
    return facts;
}

} // namespace

WeightFacts WeightFacts::of(const double* weights, std::int64_t n_rows, bool weighted_counts) {
    return facts_of(weights, n_rows, weighted_counts, [](std::int64_t i) { return i; });
}

WeightFacts WeightFacts::of(const double* weights, std::span<const std::int32_t> rows,
                            bool weighted_counts) {
    return facts_of(weights, std::ssize(rows), weighted_counts, [&](std::int64_t i) {
        return static_cast<std::int64_t>(rows[static_cast<std::size_t>(i)]);
    });
}

void multiply_weights(const std::vector<double>& weights, const RowSelection& selection,
                      std::span<const double> multipliers, std::int64_t n_rows,
                      std::vector<double>& out) {
    if (std::ssize(multipliers) != selection.size(n_rows))
        throw InputError("there must be a multiplier for each of the " +
                         std::to_string(selection.size(n_rows)) + " selected rows. Got " +
                         std::to_string(multipliers.size()) + ".");
    out.assign(static_cast<std::size_t>(n_rows), 0.0);
    for (std::size_t i = 0; i < multipliers.size(); ++i) {
        if (!(multipliers[i] > 0) || !std::isfinite(multipliers[i]))
            throw InputError("multipliers of rows must be positive and finite. Got " +
                             shown(multipliers[i]) + ".");
        const std::size_t row = selection.all ? i : static_cast<std::size_t>(selection.rows[i]);
        out[row] = (weights.empty() ? 1.0 : weights[row]) * multipliers[i];
    }
}

} // namespace ceiba
