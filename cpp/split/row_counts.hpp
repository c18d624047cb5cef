// Row counts of candidates that are estimated from hessians, as LightGBM does (row_counts="hessian").
//
// A bin with hessian sum h counts as round(h * factor) rows, where factor = rows / hessians of the
// node. Counts are rounded bin by bin and then added. A threshold adds up the bins of the side
// without missing rows and subtracts them from the rows of the node; the side on the right where no
// row can be missing. LightGBM does not store the bin of zero where it is the first one: with missing
// rows on the right, the first bin then counts as what all others, the missing ones included, leave
// of the node. Minimums of rows are compared with these estimates: a bin of rows that are
// predicted well (small hessians) counts as fewer rows than it has. With a constant hessian estimates
// are exact, so the grower turns them off. A child without any row is never a candidate.
//
// Nodes keep exact counts: whether one may be split, and what its leaf reports, does not change.
#pragma once

#include <cmath>

namespace ceiba {

// Rows per unit of hessian of a node. The constant is LightGBM's.
static inline double rows_per_hessian(double rows, double hessian) {
    return rows / (hessian + 2e-15);
}

static inline double estimated_rows(double hessian, double factor) {
    return std::floor(hessian * factor + 0.5);
}

} // namespace ceiba
