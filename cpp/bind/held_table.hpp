// Tables of Python, read in place.
#pragma once

#include "base/errors.hpp"
#include "bind/held_array.hpp"
#include "bind/held_sparse.hpp"
#include "data/column.hpp"
#include "data/sparse/sparse_rows.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/stl/shared_ptr.h>

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace ceiba {

// The columns of a table, as list[list[chunk]], the chunks of each column, or as list[block], row
// blocks of all columns. A chunk is a 1-D array, or (values, rows, n_rows, absent) if it is sparse;
// a block is a 2-D array, or SparseColumns.
class HeldTable {
  public:
    explicit HeldTable(const nb::list& parts) {
        if (nb::len(parts) > 0 && !nb::isinstance<nb::list>(parts[0])) {
            hold_blocks(parts);
        } else {
            for (nb::handle part : parts) hold_column(nb::cast<nb::list>(part));
        }
        for (const Column& column : columns_)
            if (column.n_rows() != columns_[0].n_rows())
                throw InputError("All columns must have the same number of rows. Got " +
                                 std::to_string(columns_[0].n_rows()) + " and " +
                                 std::to_string(column.n_rows()) + ".");
    }
    const std::vector<Column>& columns() const { return columns_; }
    std::int64_t n_rows() const { return columns_.empty() ? 0 : columns_[0].n_rows(); }

  private:
    void hold_column(const nb::list& arrays) {
        std::vector<ColumnChunk> chunks;
        for (nb::handle array : arrays)
            chunks.push_back(nb::isinstance<nb::tuple>(array)
                                 ? held_chunk(nb::cast<nb::tuple>(array), held_)
                                 : held_chunk(array, held_));
        columns_.emplace_back(std::move(chunks));
    }

    void hold_blocks(const nb::list& blocks) {
        std::vector<std::vector<ColumnChunk>> chunks;
        const auto count = [&](std::int64_t n) {
            const auto n_columns = static_cast<std::size_t>(n);
            if (chunks.empty()) chunks.resize(n_columns);
            if (chunks.size() != n_columns)
                throw InputError("All blocks must have the same number of columns. Got " +
                                 std::to_string(chunks.size()) + " and " +
                                 std::to_string(n_columns) + ".");
        };
        for (nb::handle block : blocks) {
            if (nb::isinstance<TransposedRows>(block)) {
                const auto rows = nb::cast<std::shared_ptr<TransposedRows>>(block);
                transposed_.push_back(rows);
                count(rows->n_columns());
                for (std::size_t j = 0; j < chunks.size(); ++j)
                    chunks[j].push_back(rows->column(static_cast<std::int64_t>(j)));
                continue;
            }
            const HeldArray& buffer = hold(block, 2);
            count(buffer.shape(1));
            const auto* data = static_cast<const char*>(buffer.data());
            const NumberType type = buffer.type();
            for (auto& own : chunks) {
                own.push_back({data, buffer.stride(0), buffer.shape(0), type});
                data += buffer.stride(1);
            }
        }
        for (auto& column : chunks) columns_.emplace_back(std::move(column));
    }

    const HeldArray& hold(nb::handle array, int n_dimensions) {
        const HeldArray& buffer = held_.emplace_back(array);
        if (buffer.n_dimensions() != n_dimensions)
            throw InputError("Expected an array with " + std::to_string(n_dimensions) +
                             " dimension(s). Got " + std::to_string(buffer.n_dimensions()) + ".");
        return buffer;
    }

    std::deque<HeldArray> held_;
    std::vector<std::shared_ptr<const TransposedRows>> transposed_;
    std::vector<Column> columns_;
};

} // namespace ceiba
