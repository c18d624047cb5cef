// Upper bounds for the gain of a threshold strictly inside a bin, from the sums at the two ends of the
// bin.
//
// In a bin with gradient g, hessian h and c rows, a threshold moves a part of the rows to the left. Its
// gradient is between (g - c M) / 2 and (g + c M) / 2, where M is the largest |gradient| of a row, and
// its hessian k between 0 and h. Few rows also have a small gradient: at most k R for the part and
// (h - k) R for the rest, where R is the largest |gradient| / hessian of a row. The score of a side is
// a maximum of linear functions of (gradient, hessian), so the sum of both sides is convex and has its
// maximum in a corner of that region:
//
//   gradient of    (g + c M) / 2      ___________
//   the part                        /             \  g
//                               0  <_             _>
//                                    \___________/
//                  (g - c M) / 2
//                                  0               h   hessian of the part
//
// The bounds include a margin for rounding: none is below the gain that the scan would compute.
#pragma once

#include "split/scan.hpp"

namespace ceiba {

// What is true of every row of a tree, as it was rounded.
struct RowLimits {
    double gradient = 0; // the largest |gradient| for each unit of the row's count
    double hessian = 0;  // the smallest hessian for each unit of the row's count
    double ratio = 0;    // the largest |gradient| over the hessian ...
    double free = 0;     // ... to which this is added: infinity where a hessian is 0, else 0
};

#define CEIBA_DECLARE_BOUND_KERNELS(arch)                                                          \
    namespace arch {                                                                               \
    void inner_bounds(const ColumnScan& scan, const RowLimits& limits, bool level,                 \
                      double* bounds);                                                             \
    }
CEIBA_DECLARE_BOUND_KERNELS(baseline)
CEIBA_DECLARE_BOUND_KERNELS(avx2)
#undef CEIBA_DECLARE_BOUND_KERNELS

// bounds[b] of every bin of values. For one node: minus infinity where no threshold inside the bin
// could be a candidate. With `level` (symmetric growth) what the node can add to the gain of its
// level: at least 0, and thresholds that leave the node's rows of the bin together count too.
void inner_bounds(const ColumnScan& scan, const RowLimits& limits, bool level, double* bounds);

} // namespace ceiba
