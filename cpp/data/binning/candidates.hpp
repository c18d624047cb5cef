// Candidate thresholds of a column: its weighted quantiles.
//
// A cut is the rank of the last value of a bin; the last bin has none. With room for B bins:
//   - at most B distinct values: a bin for each;
//   - otherwise cut k, for k = 1 ... B - 1, is the first value at or below which lies at least the
//     weight k * W / B of all W (rounded down, at least 1). A value that several of them name is a
//     cut once, and the last value is never one.
// So less than W / B (and one unit) lies strictly between two neighbouring cuts.
//
// The whole column of a table is never sorted again. Weights are summed in buckets of neighbouring
// ranks, and only buckets in which a cut falls are looked into, row by row in the column's order:
//
//   ranks     0 .................................................. m
//   buckets   |      |      |      |      |      |      |      |
//   cuts          ^     ^                    ^         looked into: 1st, 2nd and 6th bucket
#pragma once

#include "data/coded/ranked.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace ceiba {

using Cuts = std::vector<std::uint32_t>;

// The weight at or below cut k of n, at least 1.
std::uint64_t cut_weight(std::uint64_t total, int k, int n);

// A distinct value with its weight.
struct RankWeight {
    std::uint32_t rank;
    std::uint64_t weight;
};

// From all values of some rows, ranks ascending and distinct.
void find_cuts(std::span<const RankWeight> values, int most_bins, Cuts& cuts);

// From a whole column; weights[row], 0 for rows that do not count. False, and no cuts, where all
// weights are 0 and there are more values than bins.
bool find_cuts(const RankedColumns& ranked, int feature, const std::uint64_t* weights,
               int most_bins, Cuts& cuts);

} // namespace ceiba
