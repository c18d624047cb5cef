// Sparse matrices and columns of Python, read in place.
#pragma once

#include "base/errors.hpp"
#include "bind/held_array.hpp"
#include "data/column.hpp"
#include "data/sparse/sparse_rows.hpp"

#include <nanobind/nanobind.h>

#include <cstdint>
#include <deque>
#include <string>

namespace ceiba {

// Whether an index array is int64; otherwise int32.
inline bool is_wide(const HeldArray& array, const char* name) {
    const NumberType type = array.type();
    if (array.n_dimensions() != 1 || !array.is_contiguous() ||
        (type != NumberType::int32 && type != NumberType::int64))
        throw InputError(std::string(name) + " must be a contiguous array of int32 or int64.");
    return type == NumberType::int64;
}

// A 1-D array as a chunk of a column.
inline ColumnChunk held_chunk(nb::handle array, std::deque<HeldArray>& held) {
    const HeldArray& buffer = held.emplace_back(array);
    if (buffer.n_dimensions() != 1)
        throw InputError("Expected an array with 1 dimension(s). Got " +
                         std::to_string(buffer.n_dimensions()) + ".");
    return {buffer.data(), buffer.stride(0), buffer.shape(0), buffer.type()};
}

// (values, rows, n_rows, absent) as a sparse chunk of a column.
inline ColumnChunk held_chunk(const nb::tuple& parts, std::deque<HeldArray>& held) {
    if (nb::len(parts) != 4)
        throw InputError("A sparse chunk must be (values, rows, n_rows, absent).");
    ColumnChunk chunk = held_chunk(nb::handle(parts[0]), held);
    const HeldArray& rows = held.emplace_back(parts[1]);
    const std::int64_t n_entries = chunk.n_rows;
    chunk.n_rows = nb::cast<std::int64_t>(parts[2]);
    if (is_wide(rows, "rows") || rows.shape(0) != n_entries)
        throw InputError("A sparse chunk must have an int32 row for each value.");
    const auto* numbers = static_cast<const std::int32_t*>(rows.data());
    for (std::int64_t i = 0; i < n_entries; ++i)
        if (numbers[i] < 0 || numbers[i] >= chunk.n_rows || (i > 0 && numbers[i] <= numbers[i - 1]))
            throw InputError("Rows of a sparse chunk must be ascending and within the chunk.");
    chunk.sparse = true;
    chunk.rows = numbers;
    chunk.n_entries = n_entries;
    chunk.absent = nb::cast<double>(parts[3]);
    return chunk;
}

// (values, indices, indptr, absent) as the rows of a sparse matrix.
class HeldSparse {
  public:
    HeldSparse(const nb::tuple& parts, std::int64_t n_columns)
        : values_(part(parts, 0)), columns_(part(parts, 1)), starts_(part(parts, 2)) {
        rows_.values = values_.data();
        rows_.type = values_.type();
        rows_.columns = columns_.data();
        rows_.starts = starts_.data();
        rows_.wide_columns = is_wide(columns_, "indices");
        rows_.wide_starts = is_wide(starts_, "indptr");
        rows_.n_entries = std::min(values_.n_items(), columns_.n_items());
        rows_.n_rows = starts_.n_items() - 1;
        rows_.n_columns = n_columns;
        rows_.absent = nb::cast<double>(parts[3]);
        if (values_.n_dimensions() != 1 || !values_.is_contiguous() || rows_.n_rows < 0)
            throw InputError("The values of a sparse matrix must be a contiguous array.");
        check_rows(rows_);
    }
    const SparseRows& rows() const { return rows_; }

  private:
    static nb::handle part(const nb::tuple& parts, std::size_t i) {
        if (nb::len(parts) != 4)
            throw InputError("A sparse matrix must be (values, indices, indptr, absent).");
        return parts[i];
    }

    HeldArray values_, columns_, starts_;
    SparseRows rows_;
};

} // namespace ceiba
