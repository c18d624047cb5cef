// The rule for bin edges, as a function of the multiset of values.
//
// Let B be the maximum number of bins and W the total weight of the values that are not missing:
//   - at most B distinct values: one bin for each;
//   - otherwise a value heavier than the average bin of the others has its own bin, and the values
//     between two such heavy ones share the other bins by weight: a bin of a stretch with weight S
//     and b bins ends at the value that contains the unit k * S / b of it, for k = 1 ... b - 1;
//   - then a bin lighter than the minimum weight joins the next one.
// The edge between neighboring values lo < hi of two bins is their midpoint, or lo if no float64
// lies between.
//
// The rule does not need all values sorted. It reads a ladder of rungs in ascending order. A rung
// is one distinct value with its weight, or a range of values of which only the total weight is
// known. When the rule needs the values in a range it requests the range, the caller replaces it by
// its values, and the rule starts again.
//
//   value 1.5   range (1.5, 2.7)   value 2.7   range (2.7, 9)
//   weight 40   weight 3           weight 1    weight 17
#pragma once

#include "base/pages.hpp"

#include <cstdint>
#include <vector>

namespace ceiba {

struct Rung {
    double value = 0.0;       // of a single value
    std::uint64_t weight = 0; // above 0
    std::int64_t range = -1;  // number of the caller's range, or -1: a single value
};

using Ladder = PagedVector<Rung>; // ascending

struct EdgeRule {
    std::int64_t max_value_bins = 254;
    std::uint64_t min_weight = 1; // of a bin, in the units of Rung::weight
};

struct EdgeChoice {
    std::vector<double> edges;       // the result, if no range is requested
    std::vector<std::int32_t> asked; // rungs to open first, ascending and distinct
};

// The edge between neighboring values low < high: their midpoint, or low.
double edge_between(double low, double high);

// The total weight of the ladder must be below 2^63.
EdgeChoice choose_edges(const Ladder& ladder, const EdgeRule& rule);

} // namespace ceiba
