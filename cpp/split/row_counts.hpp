// Row counts of candidates, estimated from hessians as in LightGBM (row_counts="hessian").
//
// A bin with hessian sum h counts as round(h * factor) rows, where factor = rows / hessians of the
// node. A threshold adds the counts of the bins on the side without missing rows (the right side if no
// row can be missing) and subtracts them from the rows of the node. LightGBM does not store the bin of
// zero if it is the first one. With missing rows on the right, the count of that bin is therefore the
// rows of the node minus the counts of all other bins, the missing one included.
//
// Row minimums apply to these estimates. Bins of well predicted rows (small hessians) count fewer rows
// than they have. With a constant hessian estimates are exact, and the grower turns them off. A child
// without any row is never a candidate. Nodes and leaves keep exact counts.
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
