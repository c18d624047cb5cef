// Rows of a sparse matrix (CSR) as sparse columns.
//
// The life of transposed rows:
//   1. TransposedRows::of(rows) writes for every column the rows and values of its entries, in the
//      values' own type: one counting pass and one writing pass over the rows.
//   2. column(j) is a chunk of a Column for as long as they live: until the bins are made.
#pragma once

#include "base/buffer.hpp"
#include "data/column.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace ceiba {

// Where the caller has them. No row has two entries of one column.
struct SparseRows {
    const void* values = nullptr;
    NumberType type = NumberType::float64;
    const void* columns = nullptr; // of the entries: int32, or int64 (wide)
    const void* starts = nullptr;  // of each row among the entries, and the end; as the columns
    bool wide_columns = false, wide_starts = false;
    std::int64_t n_rows = 0, n_columns = 0, n_entries = 0;
    double absent = 0.0; // the value where there is no entry

    std::int64_t start(std::int64_t row) const {
        return wide_starts ? static_cast<const std::int64_t*>(starts)[row]
                           : static_cast<const std::int32_t*>(starts)[row];
    }
    // Calls work(columns) with the columns of the entries, whatever their type.
    template <class Work>
    auto with_columns(Work&& work) const {
        return wide_columns ? work(static_cast<const std::int64_t*>(columns))
                            : work(static_cast<const std::int32_t*>(columns));
    }
};

// An error unless every row's entries are among the entries, and their columns among the columns.
void check_rows(const SparseRows& rows);

class TransposedRows {
  public:
    // Of rows that were checked.
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
    std::vector<std::int64_t> starts_; // of each column among the entries, and the end
    Buffer<std::int32_t> rows_;
    Buffer<std::uint8_t> values_;
};

} // namespace ceiba
