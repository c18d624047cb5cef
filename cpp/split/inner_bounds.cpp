#include "split/inner_bounds.hpp"

#include "base/cpu.hpp"

namespace ceiba {

void inner_bounds(const ColumnScan& scan, const RowLimits& limits, bool level, double* bounds) {
    (use_avx2() ? avx2::inner_bounds : baseline::inner_bounds)(scan, limits, level, bounds);
}

} // namespace ceiba
