#include "model/row_source.hpp"

#include <cstdint>

namespace ceiba {

void read_values(const ColumnView& column, std::int64_t first_row, std::int64_t n, double* out) {
    read_chunk({column.data, column.stride, first_row + n, column.type}, first_row, n, out);
}

const double* read_row(const RowSource& rows, std::int64_t row, std::int64_t n_features,
                       double* scratch) {
    if (rows.is_matrix()) {
        const ColumnView& first = rows.first();
        const std::byte* data = first.data + row * first.stride;
        // Only an aligned row may be read where it lies.
        if (first.type == NumberType::float64 && rows.column_stride() == sizeof(double) &&
            reinterpret_cast<std::uintptr_t>(data) % alignof(double) == 0)
            return reinterpret_cast<const double*>(data);
        // Across the row the features are a column with another stride.
        read_values({data, rows.column_stride(), first.type}, 0, n_features, scratch);
        return scratch;
    }
    for (std::int64_t feature = 0; feature < n_features; ++feature)
        read_values(rows.column(feature), row, 1, scratch + feature);
    return scratch;
}

} // namespace ceiba
