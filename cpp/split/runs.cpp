#include "split/runs.hpp"

#include "base/cpu.hpp"

namespace ceiba {

void scan_runs(const ColumnScan& scan, const RunView& runs, Split& best) {
    (use_avx2() ? avx2::scan_runs : baseline::scan_runs)(scan, runs, best);
}

void take_run(const ColumnScan& scan, std::uint16_t last, const Pair& left, Split& split) {
    split.decision = {scan.feature, static_cast<Code>(last), true, nullptr};
    split.left = unpack(left, *scan.packing);
    split.child_l2 = 0;
}

} // namespace ceiba
