// Where the bins of a column end: the rule, as a function of the multiset of its values alone.
//
// With room for B bins and W the whole weight of the values that are not missing:
//   - at most B distinct values: one bin for each;
//   - otherwise a value heavier than the average bin of the others has a bin to itself, and the
//   values between two
//     such heavy ones share the other bins by weight: a bin of a stretch with weight S and b bins
//     ends at the value that holds the unit k * S / b of it, for k = 1 ... b - 1;
//   - then a bin lighter than the smallest weight allowed joins the next one.
// The edge between neighbouring values lo < hi of two bins is their midpoint, or lo where no
// float64 lies between.
//
// The rule never needs all values sorted. It reads a ladder of rungs in ascending order. A rung is
// one distinct value with its weight, or a range of values of which only the summed weight is
// known. Where the rule must see into a range it asks for it, the caller puts the values of that
// range in its place, and the rule starts again.
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
    std::int64_t range = -1;  // which range of the caller, or -1: a single value
};

using Ladder = PagedVector<Rung>; // ascending

struct EdgeRule {
    std::int64_t max_value_bins = 254;
    std::uint64_t min_weight = 1; // of a bin, in the units of Rung::weight
};

struct EdgeChoice {
    std::vector<double> edges;       // the answer, if nothing is asked for
    std::vector<std::int32_t> asked; // rungs to open first, ascending and distinct
};

// What divides the neighbouring values low < high: their midpoint, or low.
double edge_between(double low, double high);

// The summed weight of the ladder must stay below 2^63.
EdgeChoice choose_edges(const Ladder& ladder, const EdgeRule& rule);

} // namespace ceiba
