// Upper bounds for the gain of a threshold strictly inside a bin, if scores are entropies.
//
// Such a threshold sends between none and all rows of each class in the bin to the left. The gain is
// convex in these numbers:
//
//   two classes    the maximum is in one of the four corners
//   more           n ln n of each class is largest at one of the two ends, and the concave -n ln n of
//                  all rows where both sides are as equal as the bin allows; the sum of these maxima
//                  bounds the maximum of the sum
//
// The bounds include a margin for rounding: none is below the gain that the scan would compute.
#pragma once

#include "split/scan.hpp"

#include <span>

namespace ceiba {

// bounds[b] of every bin of values of a column. `scans`: of each output.
void entropy_bounds(std::span<const ColumnScan> scans, double* bounds);

} // namespace ceiba
