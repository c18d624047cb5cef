#include "tree/inner_bounds.hpp"

#include "base/cpu.hpp"

namespace ceiba {

void inner_bounds(const ColumnScan& scan, double largest, bool level, double* bounds) {
    (use_avx2() ? avx2::inner_bounds : baseline::inner_bounds)(scan, largest, level, bounds);
}

} // namespace ceiba
