// The inner loops of linear leaves, over rows of one leaf whose columns are contiguous.
//
// Sums are integers. Numbers are multiplied by a power of two, so that a product is an integer once
// it is rounded. Rounding is an addition: v + 1.5 * 2^52 has v, rounded to even, in its last bits,
// for |v| < 2^51. These bits are summed, so the sums do not depend on the order of rows or threads.
#pragma once

#include <cstdint>

namespace ceiba {

constexpr int kLinearRows = 128; // rows of a block
constexpr int kLinearStep = 8;   // blocks are filled to a multiple of this
constexpr int kLinearBits = 50;  // of a rounded number

// Statistics of a column: sums of the finite values in fixed point, and their range.
struct ColumnRange {
    std::int64_t sum = 0, count = 0;
    double low, high;
};

// A block of rows: [column][kLinearRows], padded with rows of 0.
struct MomentRows {
    const double* columns;              // u: the first is 1, then regressors within -1 and 1
    const double *gradients, *hessians; // times the power of two
    const std::int64_t* times;          // multiplicity of each row; null: 1
    int n_columns, n_rows;              // n_rows: padded
};

struct LinearKernels {
    // Statistics of n values, without weights.
    void (*measure)(const double* x, std::int64_t n, double scale, ColumnRange& range);
    // out[i] = (x[i] - mean) * scale; 0 if that is not finite.
    void (*center)(const double* x, int n, double mean, double scale, double* out);
    // sums[i][j] += h u_i u_j for i <= j, and in a last row g u_j: (n_columns + 1) rows of n_columns.
    void (*add_moments)(const MomentRows& rows, std::int64_t* sums);
    // sums[i] += slope * (x[i] clipped to [low, high], minus mean): tree/linear_part.hpp.
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
