// Rows to predict, read in place from the caller's memory.
//
// A matrix with any strides, or a column for each feature with its own type, strided or sparse, or
// the rows of a sparse matrix.
#pragma once

#include "data/column.hpp"
#include "data/sparse/sparse_rows.hpp"

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace ceiba {

struct ColumnView {
    const std::byte* data = nullptr;
    std::int64_t stride = 0; // bytes from one row (entry) to the next
    NumberType type = NumberType::float64;
    // Sparse: the row numbers of the entries, ascending, and the value of all other rows.
    bool sparse = false;
    const std::int32_t* rows = nullptr;
    std::int64_t n_entries = 0;
    double absent = 0.0;
};

class RowSource {
  public:
    // A matrix of float32 or float64.
    RowSource(const void* data, std::int64_t n_rows, std::int64_t row_stride,
              std::int64_t column_stride, NumberType type)
        : n_rows_(n_rows), column_stride_(column_stride),
          first_{static_cast<const std::byte*>(data), row_stride, type, false, nullptr, 0, 0.0} {}

    RowSource(std::vector<ColumnView> columns, std::int64_t n_rows)
        : n_rows_(n_rows), columns_(std::move(columns)) {}

    explicit RowSource(const SparseRows& sparse) : n_rows_(sparse.n_rows), sparse_(&sparse) {}

    std::int64_t n_rows() const { return n_rows_; }
    bool is_matrix() const { return first_.data != nullptr; }
    const ColumnView& first() const { return first_; }
    std::int64_t column_stride() const { return column_stride_; }

    ColumnView column(std::int64_t feature) const {
        if (!is_matrix()) return columns_[static_cast<std::size_t>(feature)];
        ColumnView column = first_;
        column.data += feature * column_stride_;
        return column;
    }
    // null unless the rows are those of a sparse matrix
    const SparseRows* sparse() const { return sparse_; }

  private:
    std::int64_t n_rows_;
    std::int64_t column_stride_ = 0;
    ColumnView first_;
    std::vector<ColumnView> columns_;
    const SparseRows* sparse_ = nullptr;
};

// The entries of a row of a sparse matrix as doubles; grows `values` if needed.
void read_entries_of(const SparseRows& rows, std::int64_t row, std::vector<double>& values);

// Values [first_row, first_row + n) of a column as doubles. An integer beyond 2^53 is an
// InputError.
void read_values(const ColumnView& column, std::int64_t first_row, std::int64_t n, double* out);

// One row as contiguous doubles: in place if possible, else copied to scratch[n_features].
const double* read_row(const RowSource& rows, std::int64_t row, std::int64_t n_features,
                       double* scratch);

} // namespace ceiba
