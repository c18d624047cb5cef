#include "model/coded_linear_scores.hpp"

namespace ceiba {

namespace {

// Rows that are summed together: independent additions hide the latency.
constexpr std::int64_t kRows = 8;

template <std::int64_t n>
void add_rows(const double* columns, std::int64_t n_columns, const double* coefficients,
              double center, std::int64_t n_outputs, double* out) {
    double sums[n] = {};
    for (std::int64_t j = 0; j < n_columns; ++j)
        for (std::int64_t row = 0; row < n; ++row)
            sums[row] += columns[row * n_columns + j] * coefficients[j];
    for (std::int64_t row = 0; row < n; ++row) out[row * n_outputs] = center + sums[row];
}

} // namespace

void linear_scores(const double* columns, std::int64_t n_rows, std::int64_t n_columns,
                   const double* coefficients, const double* centers, std::int64_t n_outputs,
                   double* out) {
    std::int64_t row = 0;
    for (; row + kRows <= n_rows; row += kRows)
        for (std::int64_t k = 0; k < n_outputs; ++k)
            add_rows<kRows>(columns + row * n_columns, n_columns, coefficients + k * n_columns,
                            centers[k], n_outputs, out + row * n_outputs + k);
    for (; row < n_rows; ++row)
        for (std::int64_t k = 0; k < n_outputs; ++k)
            add_rows<1>(columns + row * n_columns, n_columns, coefficients + k * n_columns,
                        centers[k], n_outputs, out + row * n_outputs + k);
}

} // namespace ceiba
