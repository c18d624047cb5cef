// RowSelection: the rows of a tree and their multipliers.
//
// The life of a selection:
//   1. It is created for one tree of one round, once the gradients are known: all rows or some of
//      them, each with a multiplier (gradient-based samples, bootstraps) or none.
//   2. A row's weight is that of the table times its multiplier. WeightFacts are computed from the
//      selection: whether weights are integers, and how large they are.
//   3. Everything that measures, packs and sums rows reads it, until the leaves of the tree have
//      their values.
//
// Integer weights multiply the rounded gradient, so a row of weight k equals k copies. Other
// weights multiply the gradient before it is rounded.
#pragma once

#include "base/buffer.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace ceiba {

struct WeightFacts {
    const double* weights = nullptr; // by row; null: every weight is 1
    bool whole = true;               // all weights are integers with a sum below 2^30
    bool counted = true;             // integer weights count as rows (min_samples_leaf)
    double largest = 1;
    int sample = 0; // number of the sample among those that grow together

    // Facts of the rows 0 .. n_rows, or of `rows`.
    static WeightFacts of(const double* weights, std::int64_t n_rows, bool weighted_counts,
                          int n_threads);
    static WeightFacts of(const double* weights, std::span<const std::int32_t> rows,
                          bool weighted_counts, int n_threads);
    bool multiply_after() const { return weights != nullptr && whole; }
    bool multiply_before() const { return weights != nullptr && !whole; }
};

struct RowSelection {
    bool all = true;
    std::span<const std::int32_t> rows; // increasing; ignored with `all`
    WeightFacts weights;

    std::int64_t size(std::int64_t n_rows) const {
        return all ? n_rows : static_cast<std::int64_t>(rows.size());
    }
};

// weights[row] * multipliers[i] for the i-th selected row (empty weights: 1), by row; other rows
// are not changed. Returns the largest. Multipliers must be positive and finite.
double multiply_weights(const std::vector<double>& weights, const RowSelection& selection,
                        std::span<const double> multipliers, std::int64_t n_rows, int n_threads,
                        Buffer<double>& out);

} // namespace ceiba
