// Candidate thresholds of a column: its weighted quantiles.
//
// A cut is the rank of the last value of a bin; the last bin has none. For at most B bins:
//   - at most B distinct values: one bin each;
//   - otherwise cut k, for k = 1 ... B - 1, is the smallest value such that the weight at or below
//     it is at least k * W / B of the total W (rounded down, at least 1). A value that several cuts
//     select is used once, and the last value is never a cut.
// So the weight strictly between two neighboring cuts is less than W / B (plus one unit).
//
// The columns of the table are already sorted. Weights are summed in buckets of neighboring ranks,
// and only buckets that contain a cut are searched, row by row in the column's order:
//
//   ranks     0 .................................................. m
//   buckets   |      |      |      |      |      |      |      |
//   cuts          ^     ^                    ^         searched: 1st, 2nd and 6th bucket
#pragma once

#include "data/coded/ranked.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace ceiba {

using Cuts = std::vector<std::uint32_t>;

// The minimum weight at or below cut k with n bins: total * k / n, rounded down, at least 1.
std::uint64_t cut_weight(std::uint64_t total, int k, int n);

// A distinct value with its weight.
struct RankWeight {
    std::uint32_t rank;
    std::uint64_t weight;
};

// Cuts of some rows from their values, ranks ascending and distinct.
void find_cuts(std::span<const RankWeight> values, int most_bins, Cuts& cuts);

// Cuts of a whole column; weights[row] is 0 for rows that do not count. Returns false and no cuts
// if all weights are 0 and there are more values than bins.
bool find_cuts(const RankedColumns& ranked, int feature, const std::uint64_t* weights,
               int most_bins, Cuts& cuts);

} // namespace ceiba
