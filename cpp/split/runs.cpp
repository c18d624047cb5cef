#include "split/runs.hpp"

#include "base/cpu.hpp"

namespace ceiba {

void scan_runs(const ColumnScan& scan, const RunView& runs, Split& best) {
    (use_avx2() ? avx2::scan_runs : baseline::scan_runs)(scan, runs, best);
}

} // namespace ceiba
