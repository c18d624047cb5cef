#include "data/sorting/cell_grid.hpp"

#include "data/sorting/cell_grid_kernels.hpp"

namespace ceiba {

CellGrid CellGrid::make(double low, double high, int n_cells, bool by_bits) {
    CellGrid guide;
    guide.by_bits = by_bits;
    guide.low = by_bits ? bits_of(low) : low;
    // 0 where the range overflows, +inf where it is too small: then one or two cells hold all
    // values.
    guide.scale = n_cells / ((by_bits ? bits_of(high) : high) - guide.low);
    guide.last_cell = n_cells - 1;
    return guide;
}

void grid_cells(const CellGrid& guide, const double* values, std::int64_t n, std::int32_t* cells) {
    if (use_avx2()) {
        avx2::grid_cells(guide, values, n, cells);
    } else {
        baseline::grid_cells(guide, values, n, cells);
    }
}

} // namespace ceiba
