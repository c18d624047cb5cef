// Sorts the predictions of several quantiles in each row.
#pragma once

#include <algorithm>
#include <cstdint>

namespace ceiba {

// Sort each row of values[n_rows][n_columns] by insertion, since most rows are sorted or nearly so.
inline void sort_rows(double* values, std::int64_t n_rows, std::int64_t n_columns) {
    constexpr std::int64_t kFewColumns = 32;
    for (double* row = values; row != values + n_rows * n_columns; row += n_columns) {
        if (n_columns > kFewColumns) {
            std::sort(row, row + n_columns);
            continue;
        }
        for (std::int64_t i = 1; i < n_columns; ++i) {
            const double value = row[i];
            std::int64_t at = i;
            for (; at > 0 && value < row[at - 1]; --at) row[at] = row[at - 1];
            row[at] = value;
        }
    }
}

} // namespace ceiba
