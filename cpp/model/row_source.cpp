#include "model/row_source.hpp"

#include <algorithm>
#include <cstdint>

namespace ceiba {

void read_values(const ColumnView& column, std::int64_t first_row, std::int64_t n, double* out) {
    read_chunk({column.data, column.stride, first_row + n, column.type, column.sparse, column.rows,
                column.n_entries, column.absent},
               first_row, n, out);
}

void read_entries_of(const SparseRows& rows, std::int64_t row, std::vector<double>& values) {
    const std::int64_t begin = rows.start(row), n = rows.start(row + 1) - begin;
    if (static_cast<std::int64_t>(values.size()) < n) values.resize(static_cast<std::size_t>(n));
    const int size = bytes_of(rows.type);
    read_entries({static_cast<const std::byte*>(rows.values), size, 0, rows.type, true, nullptr,
                  rows.n_entries, rows.absent},
                 begin, n, values.data());
}

const double* read_row(const RowSource& rows, std::int64_t row, std::int64_t n_features,
                       double* scratch) {
    if (rows.is_matrix()) {
        const ColumnView& first = rows.first();
        const std::byte* data = first.data + row * first.stride;
        // Only an aligned row can be read in place.
        if (first.type == NumberType::float64 && rows.column_stride() == sizeof(double) &&
            reinterpret_cast<std::uintptr_t>(data) % alignof(double) == 0)
            return reinterpret_cast<const double*>(data);
        // The features of a row are a column with another stride.
        ColumnView across = first;
        across.data = data;
        across.stride = rows.column_stride();
        read_values(across, 0, n_features, scratch);
        return scratch;
    }
    if (const SparseRows* sparse = rows.sparse()) {
        std::vector<double> values;
        read_entries_of(*sparse, row, values);
        std::fill_n(scratch, n_features, sparse->absent);
        const std::int64_t begin = sparse->start(row), n = sparse->start(row + 1) - begin;
        sparse->with_columns([&](const auto* columns) {
            for (std::int64_t i = 0; i < n; ++i)
                scratch[columns[begin + i]] = values[static_cast<std::size_t>(i)];
        });
        return scratch;
    }
    for (std::int64_t feature = 0; feature < n_features; ++feature)
        read_values(rows.column(feature), row, 1, scratch + feature);
    return scratch;
}

} // namespace ceiba
