// Scores that trees can be removed from without drift (DART).
//
// When trees are removed from scores and added back, a plain sum would keep the rounding errors of
// every change. So a score is stored in two doubles: the sum, and its rounding error. Removing an
// added tree restores the previous score to about 1e-32 of its largest intermediate value, however
// often it happens.
#pragma once

#include <cstdint>
#include <span>

namespace ceiba {

// One tree: the leaf of every row, as numbers of 1, 2 or 4 bytes, and the value of each node.
struct LeafColumn {
    const void* leaves;
    int width;
    std::span<const double> values;
    double factor = 1; // 1 or -1: add or remove
};

// Add the trees, in order, to high[row] + low[row], where `high` is the nearest double.
void add_leaves(std::span<const LeafColumn> trees, double* high, double* low, std::int64_t n_rows,
                int n_threads);

} // namespace ceiba
