// The loops behind guide_cells, compiled for any x86-64 and for AVX2.
#pragma once

#include "data/guide.hpp"

namespace ceiba {

namespace baseline {
void guide_cells(const Guide& guide, const double* values, std::int64_t n, std::int32_t* cells);
}
namespace avx2 {
void guide_cells(const Guide& guide, const double* values, std::int64_t n, std::int32_t* cells);
}

} // namespace ceiba
