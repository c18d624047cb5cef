// Finds the bin edges of columns from all of their rows, without sorting them.
//
// The life of a search, for a few columns at a time:
//   1. Some rows are sampled. Their distinct values split the column into cells: the values
//      themselves, and the ranges between them. (The sample affects the speed of the search, never
//      its result.)
//   2. One pass over the rows records the cell of each value and sums the weight of each cell.
//   3. The rule of edge_rule.hpp reads these cells as its ladder. It requests the few ranges in
//      which bins end; their values, about 10 % of all, are collected by the recorded cells and
//      sorted; the rule runs again.
// Small tables and very many bins use the direct way: sort the column, then apply the same rule.
#pragma once

#include "data/column.hpp"

#include <cstdint>
#include <vector>

namespace ceiba {

struct FoundEdges {
    std::vector<double> edges;
    bool has_missing = false;
};

// What the scale of weights depends on. Facts of parts of the rows are merged.
struct EdgeWeightFacts {
    std::int64_t n_rows = 0;
    double largest = 0.0;
    bool integers = true;

    void add(const double* weights, std::int64_t n);
    void merge(const EdgeWeightFacts& other);
};

// Weights as integers: weight * scale, rounded, at least 1.
struct EdgeWeights {
    const double* weights = nullptr; // nullptr: every row has weight 1
    double scale = 1.0;              // 1 if all weights are integers, else a power of two
    std::uint64_t min_weight = 1;    // min_data_in_bin in these units
    bool relative = false;           // min_data_in_bin is relative to the mean weight

    static EdgeWeights make(const double* weights, std::int64_t n_rows, double min_data_in_bin);
    // The scale for rows with these weights. With `needs_total`, settle() completes min_weight.
    static EdgeWeights of(const EdgeWeightFacts& facts, double min_data_in_bin);
    // With min_data_in_bin = 1 one row is always enough, whatever its weight.
    bool needs_total() const { return relative && min_weight > 1; }
    // Relate min_weight to the mean weight; `total` is the sum of all units.
    void settle(std::uint64_t total, std::int64_t n_rows);

    std::uint64_t of(std::int64_t row) const { return units_of(weights[row]); }
    std::uint64_t units_of(double weight) const {
        const auto units = static_cast<std::uint64_t>(weight * scale + 0.5);
        return units + (units == 0);
    }
};

std::vector<FoundEdges> find_edges(const std::vector<Column>& columns, const EdgeWeights& units,
                                   std::int64_t max_value_bins, int n_threads);

} // namespace ceiba
