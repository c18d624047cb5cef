// The inner loops of lines in leaves, over rows of one leaf whose columns lie side by side.
//
// Sums are integers. Numbers are multiplied by a power of two, so that a product is a whole number of that
// unit once it is rounded. Rounding is an addition: v + 1.5 * 2^52 has v, rounded to even, in its last
// bits, for |v| < 2^51. Those bits are added up, of which the order of rows, and whoever adds, change
// nothing.
#pragma once

#include <cstdint>

namespace ceiba {

constexpr int kLinearRows = 128; // rows of a block
constexpr int kLinearStep = 8;   // ... of which as many are there, or fewer by whole steps
constexpr int kLinearBits = 50;  // of a number that is rounded

// What rows have of a column: sums of the finite values, in units, and how far they go.
struct ColumnRange {
    std::int64_t sum = 0, count = 0;
    double low, high;
};

// A block of rows: [column][kLinearRows], rows that are not there being 0.
struct MomentRows {
    const double* columns;              // u: the first is 1, then regressors within -1 and 1
    const double *gradients, *hessians; // times the power of two
    const std::int64_t* times;          // how often a row stands there; none: once
    int n_columns, n_rows;              // rows by whole steps
};

struct LinearKernels {
    // Of n values, without weights.
    void (*measure)(const double* x, std::int64_t n, double scale, ColumnRange& range);
    // out[i] = (x[i] - mean) * scale; 0 where that is not finite.
    void (*center)(const double* x, int n, double mean, double scale, double* out);
    // sums[i][j] += h u_i u_j for i <= j, and in a last row g u_j: (n_columns + 1) rows of n_columns.
    void (*add_moments)(const MomentRows& rows, std::int64_t* sums);
    // sums[i] += slope * (how far x[i], within low and high, is from the mean): tree/linear_part.hpp.
    void (*add_term)(const double* x, int n, double low, double high, double mean, double slope,
                     double* sums);
};

const LinearKernels& linear_kernels();

namespace baseline {
extern const LinearKernels kLinearKernels;
}
namespace avx2 {
extern const LinearKernels kLinearKernels;
}

} // namespace ceiba
