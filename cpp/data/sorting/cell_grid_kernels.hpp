// The loop of grid_cells, compiled for baseline x86-64 and for AVX2.
#pragma once

#include "data/sorting/cell_grid.hpp"

namespace ceiba {

namespace baseline {
void grid_cells(const CellGrid& grid, const double* values, std::int64_t n, std::int32_t* cells);
}
namespace avx2 {
void grid_cells(const CellGrid& grid, const double* values, std::int64_t n, std::int32_t* cells);
}

} // namespace ceiba
