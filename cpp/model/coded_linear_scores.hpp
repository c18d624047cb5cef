// Scores of linear models that do not depend on the batch.
//
// A matrix product of BLAS chooses the order of its sums by the shape of the batch, so that the
// last bits of a prediction may depend on the other rows. Here the terms of a row are added from
// left to right.
#pragma once

#include <cstdint>

namespace ceiba {

// out[row][k] = centers[k] + (columns[row][0] * coefficients[k][0] + ...); all row-major.
void linear_scores(const double* columns, std::int64_t n_rows, std::int64_t n_columns,
                   const double* coefficients, const double* centers, std::int64_t n_outputs,
                   double* out);

} // namespace ceiba
