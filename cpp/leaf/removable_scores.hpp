// Scores as sums of what the leaves of rows add, that do not drift.
//
// Where trees are taken out of scores and put back in (DART), a plain sum would keep the rounding
// errors of every change. So a score is kept in two numbers: the sum, and what rounding left out of
// it. Taking a tree out that was put in leaves what was there before, to about 1e-32 of the largest
// score on the way, however often it happens.
#pragma once

#include <cstdint>
#include <span>

namespace ceiba {

// One tree: the leaf of every row, in numbers of 1, 2 or 4 bytes, and what each node adds.
struct LeafColumn {
    const void* leaves;
    int width;
    std::span<const double> values;
    double factor = 1; // 1 or -1: put in or taken out
};

// high[row] + low[row] becomes that plus the trees, in their order, with `high` the nearest double.
void add_leaves(std::span<const LeafColumn> trees, double* high, double* low, std::int64_t n_rows,
                int n_threads);

} // namespace ceiba
