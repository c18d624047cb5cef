// Rows to predict, where they lie: nothing is copied.
//
// Either a matrix with any strides, or one strided column for each feature with types of its own.
#pragma once

#include "data/column.hpp"

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace ceiba {

struct ColumnView {
    const std::byte* data = nullptr;
    std::int64_t stride = 0; // bytes from one row to the next
    NumberType type = NumberType::float64;
};

class RowSource {
  public:
    // A matrix of float32 or float64.
    RowSource(const void* data, std::int64_t n_rows, std::int64_t row_stride,
              std::int64_t column_stride, NumberType type)
        : n_rows_(n_rows), column_stride_(column_stride),
          first_{static_cast<const std::byte*>(data), row_stride, type} {}

    RowSource(std::vector<ColumnView> columns, std::int64_t n_rows)
        : n_rows_(n_rows), columns_(std::move(columns)) {}

    std::int64_t n_rows() const { return n_rows_; }
    bool is_matrix() const { return first_.data != nullptr; }
    const ColumnView& first() const { return first_; }
    std::int64_t column_stride() const { return column_stride_; }

    ColumnView column(std::int64_t feature) const {
        if (!is_matrix()) return columns_[static_cast<std::size_t>(feature)];
        return {first_.data + feature * column_stride_, first_.stride, first_.type};
    }

  private:
    std::int64_t n_rows_;
    std::int64_t column_stride_ = 0;
    ColumnView first_;
    std::vector<ColumnView> columns_;
};

// Values [first_row, first_row + n) of a column as doubles. An integer beyond 2^53 is an
// InputError.
void read_values(const ColumnView& column, std::int64_t first_row, std::int64_t n, double* out);

// One row as contiguous doubles: where it lies if it can be, else copied to scratch[n_features].
const double* read_row(const RowSource& rows, std::int64_t row, std::int64_t n_features,
                       double* scratch);

} // namespace ceiba
