// Transposes the rows of a sparse matrix (CSR) to sparse columns.
//
// The life of transposed rows:
//   1. TransposedRows::of(rows) writes for every column the rows and values of its entries, in the
//      values' own type: one counting pass and one writing pass over the rows.
//   2. column(j) is a chunk of a Column while they live, which is until the bins are made.
#pragma once

#include "base/buffer.hpp"
#include "data/column.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace ceiba {

// In the caller's memory. No row has two entries of one column.
struct SparseRows {
    const void* values = nullptr;
    NumberType type = NumberType::float64;
    const void* columns = nullptr; // per entry: int32, or int64 (wide)
    // of each row among the entries, then the end; same type as columns
    const void* starts = nullptr;
    bool wide_columns = false, wide_starts = false;
    std::int64_t n_rows = 0, n_columns = 0, n_entries = 0;
    double absent = 0.0; // value of the rows without an entry

    std::int64_t start(std::int64_t row) const {
        return wide_starts ? static_cast<const std::int64_t*>(starts)[row]
                           : static_cast<const std::int32_t*>(starts)[row];
    }
    // Call work(columns) with the columns of the entries, as pointer to their type.
    template <class Work>
    auto with_columns(Work&& work) const {
        return wide_columns ? work(static_cast<const std::int64_t*>(columns))
                            : work(static_cast<const std::int32_t*>(columns));
    }
};

// Throw unless the entries of every row are within the entries, and their columns within the
// columns.
void check_rows(const SparseRows& rows);

class TransposedRows {
  public:
    // rows must have passed check_rows().
    static std::shared_ptr<const TransposedRows> of(const SparseRows& rows, int n_threads);

    std::int64_t n_rows() const { return n_rows_; }
    std::int64_t n_columns() const { return static_cast<std::int64_t>(starts_.size()) - 1; }
    ColumnChunk column(std::int64_t j) const;

  private:
    template <class Value, class Index>
    void write(const SparseRows& rows, const Index* columns, int n_threads);

    std::int64_t n_rows_ = 0;
    NumberType type_ = NumberType::float64;
    double absent_ = 0.0;
    std::vector<std::int64_t> starts_; // of each column among the entries, then the end
    Buffer<std::int32_t> rows_;
    Buffer<std::uint8_t> values_;
};

} // namespace ceiba
