// Rows of Python as the core reads them: a matrix, or one array for each column.
#pragma once

#include "base/errors.hpp"
#include "bind/held_array.hpp"
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
            const HeldArray& buffer = buffers.emplace_back(array);
            const bool fits =
                buffer.n_dimensions() == 1 && buffer.shape(0) == buffers.front().shape(0);
            if (!fits) throw InputError("Columns must have one dimension and the same length.");
            views.push_back(
                {static_cast<const std::byte*>(buffer.data()), buffer.stride(0), buffer.type()});
        }
        if (static_cast<std::int64_t>(views.size()) != n_features)
            throw InputError("There must be " + std::to_string(n_features) + " columns. Got " +
                             std::to_string(views.size()) + ".");
    }

    RowSource rows() const { return {views, buffers.empty() ? 0 : buffers.front().shape(0)}; }

    std::deque<HeldArray> buffers;
    std::vector<ColumnView> views;
};

} // namespace ceiba
