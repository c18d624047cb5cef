// Scores of linear models, in an order of additions that depends on nothing but the row.
//
// A matrix product of BLAS chooses the order of its sums by the shape of the batch, so that a row
// predicted alone may differ in its last bits. Here the terms of a row are added from left to right.
#pragma once

#include <cstdint>

namespace ceiba {

// out[row][k] = centers[k] + (columns[row][0] * coefficients[k][0] + ...); all row-major.
void linear_scores(const double* columns, std::int64_t n_rows, std::int64_t n_columns,
                   const double* coefficients, const double* centers, std::int64_t n_outputs,
                   double* out);

} // namespace ceiba
