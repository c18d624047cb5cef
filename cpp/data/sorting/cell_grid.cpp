#include "data/sorting/cell_grid.hpp"

#include "data/sorting/cell_grid_kernels.hpp"

namespace ceiba {

CellGrid CellGrid::make(double low, double high, int n_cells, bool by_bits) {
    CellGrid grid;
    grid.by_bits = by_bits;
    grid.low = by_bits ? bits_of(low) : low;
    // 0 if the range overflows, +inf if it is too small: then one or two cells hold all values.
    grid.scale = n_cells / ((by_bits ? bits_of(high) : high) - grid.low);
    grid.last_cell = n_cells - 1;
    return grid;
}

void grid_cells(const CellGrid& grid, const double* values, std::int64_t n, std::int32_t* cells) {
    if (use_avx2()) {
        avx2::grid_cells(grid, values, n, cells);
    } else {
        baseline::grid_cells(grid, values, n, cells);
    }
}

} // namespace ceiba
