// How much a threshold strictly inside a bin can gain at most, known from the sums at its two ends.
//
// Inside a bin with gradient g, hessian h and c rows, what has gone left beyond the bin's lower end
// is a part of it: a gradient between (g - c M) / 2 and (g + c M) / 2, where M is the largest
// |gradient| of a row, and a hessian between 0 and h. The score of a side is the largest of
// functions that are linear in (gradient, hessian), so the sum of both sides is convex and its
// largest value over that box stands in a corner of it:
//
//   hessian  HL + h  +-----------+
//                    | thresholds|      four corners, with missing rows left and right
//            HL      +-----------+
//                    GL + (g - c M) / 2     GL + (g + c M) / 2     gradient of the left side
//
// A little is added for rounding, so a bound is never below the gain that the scan would compute.
#pragma once

#include "tree/split.hpp"

namespace ceiba {

#define CEIBA_DECLARE_BOUND_KERNELS(arch)                                                          \
    namespace arch {                                                                               \
    void inner_bounds(const ColumnScan& scan, double largest, bool level, double* bounds);         \
    }
CEIBA_DECLARE_BOUND_KERNELS(baseline)
CEIBA_DECLARE_BOUND_KERNELS(avx2)
#undef CEIBA_DECLARE_BOUND_KERNELS

// bounds[b] of every bin of values. `largest`: the largest |gradient| of a row for each unit of its
// count. For one node: minus infinity where no threshold inside the bin could be a candidate. With
// `level` (symmetric growth) what the node can add to the gain of its level: at least 0, and
// thresholds that leave the node's rows of the bin together count too.
void inner_bounds(const ColumnScan& scan, double largest, bool level, double* bounds);

} // namespace ceiba
