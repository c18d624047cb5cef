// Rows of Python as the core reads them: a matrix, or an array per column, which may be sparse.
#pragma once

#include "base/errors.hpp"
#include "bind/held_array.hpp"
#include "bind/held_sparse.hpp"
#include "model/row_source.hpp"

#include <nanobind/nanobind.h>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <vector>

namespace ceiba {

inline RowSource matrix_rows(const HeldArray& matrix, std::int64_t n_features) {
    const bool fits = matrix.n_dimensions() == 2 && matrix.shape(1) == n_features;
    if (!fits) throw InputError("The matrix must have " + std::to_string(n_features) + " columns.");
    const NumberType type = matrix.type();
    if (type != NumberType::float32 && type != NumberType::float64)
        throw nb::type_error("The matrix must be float32 or float64.");
    return {matrix.data(), matrix.shape(0), matrix.stride(0), matrix.stride(1), type};
}

// Keeps the views of all columns alive while they are read.
struct Columns {
    Columns(const nb::sequence& arrays, std::int64_t n_features) {
        for (const nb::handle array : arrays) {
            const bool sparse = nb::isinstance<nb::tuple>(array);
            const ColumnChunk chunk = sparse ? held_chunk(nb::cast<nb::tuple>(array), buffers)
                                             : held_chunk(array, buffers);
            if (views.empty()) n_rows = chunk.n_rows;
            if (chunk.n_rows != n_rows)
                throw InputError("Columns must have one dimension and the same length.");
            views.push_back({static_cast<const std::byte*>(chunk.data), chunk.stride, chunk.type,
                             chunk.sparse, chunk.rows, chunk.n_entries, chunk.absent});
        }
        if (static_cast<std::int64_t>(views.size()) != n_features)
            throw InputError("There must be " + std::to_string(n_features) + " columns. Got " +
                             std::to_string(views.size()) + ".");
    }

    RowSource rows() const { return {views, n_rows}; }

    std::deque<HeldArray> buffers;
    std::vector<ColumnView> views;
    std::int64_t n_rows = 0;
};

} // namespace ceiba
