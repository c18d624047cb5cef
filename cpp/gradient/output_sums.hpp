// Weighted sums of the outputs of each row: sketched gradients for trees with vector leaves, where
// the gradients of all outputs would cost too much (boosting/outputs.py).
#pragma once

#include <cstdint>
#include <span>

namespace ceiba {

// sums[row] = 0 + values[0][row] * factors[0] + values[1][row] * factors[1] + ..., in this order;
// `values` has n_rows values for each factor.
void sum_outputs(const double* values, std::span<const double> factors, std::int64_t n_rows,
                 double* sums, int n_threads);

} // namespace ceiba
