#include "gradient/row_selection.hpp"

#include "base/errors.hpp"
#include "parallel/rows.hpp"

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

struct PartFacts {
    bool sound = true, whole = true;
    double sum = 0, largest = 0; // sum: exact for integer weights below 2^53
    double wrong = 0;            // the first invalid weight

    void note(double value) {
        if (sound) wrong = value;
        sound = false;
    }
};

template <class RowOf>
WeightFacts facts_of(const double* weights, std::int64_t n, bool weighted_counts, int n_threads,
                     RowOf row_of) {
    WeightFacts facts;
    facts.weights = weights;
    if (weights == nullptr) return facts;
    // More repeats would leave too few bits for one row; such weights are treated as real numbers.
    constexpr double kMostWhole = 0x1p30;
    double sum = 0;
    facts.largest = 0;
    for (const PartFacts& part :
         parts_of_rows(n, n_threads, [&](std::int64_t begin, std::int64_t end) {
             PartFacts own;
             for (std::int64_t i = begin; i < end; ++i) {
                 const double w = weights[row_of(i)];
                 if (!(w > 0) || !std::isfinite(w)) own.note(w);
                 own.largest = std::max(own.largest, w);
                 own.whole = own.whole && w == std::floor(w);
                 own.sum += w;
             }
             return own;
         })) {
        if (!part.sound)
            throw InputError("Weights must be positive and finite where rows are grown. Got " +
                             shown(part.wrong) + ".");
        facts.largest = std::max(facts.largest, part.largest);
        sum += part.sum;
        facts.whole = facts.whole && part.whole && sum < kMostWhole;
    }
    facts.counted = facts.whole && weighted_counts;
    return facts;
}

} // namespace

WeightFacts WeightFacts::of(const double* weights, std::int64_t n_rows, bool weighted_counts,
                            int n_threads) {
    return facts_of(weights, n_rows, weighted_counts, n_threads, [](std::int64_t i) { return i; });
}

WeightFacts WeightFacts::of(const double* weights, std::span<const std::int32_t> rows,
                            bool weighted_counts, int n_threads) {
    return facts_of(weights, std::ssize(rows), weighted_counts, n_threads, [&](std::int64_t i) {
        return static_cast<std::int64_t>(rows[static_cast<std::size_t>(i)]);
    });
}

double multiply_weights(const std::vector<double>& weights, const RowSelection& selection,
                        std::span<const double> multipliers, std::int64_t n_rows, int n_threads,
                        Buffer<double>& out) {
    const std::int64_t n = selection.size(n_rows);
    if (std::ssize(multipliers) != n)
        throw InputError("There must be a multiplier for each of the " + std::to_string(n) +
                         " selected rows. Got " + std::to_string(multipliers.size()) + ".");
    out.need(static_cast<std::size_t>(n_rows));
    double largest = 0;
    for (const PartFacts& part :
         parts_of_rows(n, n_threads, [&](std::int64_t begin, std::int64_t end) {
             PartFacts own;
             for (auto i = static_cast<std::size_t>(begin); i < static_cast<std::size_t>(end);
                  ++i) {
                 const double multiplier = multipliers[i];
                 if (!(multiplier > 0) || !std::isfinite(multiplier)) own.note(multiplier);
                 const std::size_t row =
                     selection.all ? i : static_cast<std::size_t>(selection.rows[i]);
                 out[row] = (weights.empty() ? 1.0 : weights[row]) * multiplier;
                 own.largest = std::max(own.largest, out[row]);
             }
             return own;
         })) {
        if (!part.sound)
            throw InputError("Multipliers of rows must be positive and finite. Got " +
                             shown(part.wrong) + ".");
        largest = std::max(largest, part.largest);
    }
    return largest;
}

} // namespace ceiba
