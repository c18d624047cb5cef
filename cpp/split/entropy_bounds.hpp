// How much a threshold strictly inside a bin can gain at most where scores are entropies.
//
// Of each class, some of its rows in the bin have gone left beyond the bin's lower end: between none
// and all of them. The gain is convex in these numbers.
//
//   two classes    the largest value stands in one of the four corners.
//   more           n ln n of each class is largest at one of the two ends, and -n ln n of all rows,
//                  which is concave, where both sides are as equal as the bin allows. The sum of
//                  the largest values is not below the largest sum.
//
// A little is added for rounding, so a bound is never below the gain that the scan would compute.
#pragma once

#include "split/scan.hpp"

#include <span>

namespace ceiba {

// bounds[b] of every bin of values of a column. `scans`: of each output.
void entropy_bounds(std::span<const ColumnScan> scans, double* bounds);

} // namespace ceiba
