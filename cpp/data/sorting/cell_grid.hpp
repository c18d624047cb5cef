// Equal cells over a range of values: an approximate rank of a value, computed without a table.
//
// Cells are equal either in the value itself or in the bits of its float32, which is nearly its
// logarithm and suits columns whose values span many powers of ten. Both are monotone in the value
// (rounding is monotone).
#pragma once

#include "base/cpu.hpp"

#include <bit>
#include <cstdint>

namespace ceiba {

struct CellGrid {
    double low = 0.0, scale = 0.0;
    double first_cell = 0.0, last_cell = 0.0;
    bool by_bits = false;

    // Cells 0 ... n_cells - 1 from low to high; values outside belong to the cells at the ends.
    static CellGrid make(double low, double high, int n_cells, bool by_bits);

    static double bits_of(double x) {
        const auto bits = std::bit_cast<std::int32_t>(static_cast<float>(x));
        return static_cast<double>(bits ^ ((bits >> 31) & 0x7fffffff));
    }
    std::int32_t cell(double x) const {
        double cell = ((by_bits ? bits_of(x) : x) - low) * scale;
        cell = cell > first_cell ? cell : first_cell; // also true for NaN
        cell = cell < last_cell ? cell : last_cell;
        return static_cast<std::int32_t>(cell);
    }
};

// The cells of n values.
void grid_cells(const CellGrid& grid, const double* values, std::int64_t n, std::int32_t* cells);

} // namespace ceiba
