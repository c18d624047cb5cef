// Split search in small nodes: the best threshold of a column, from the codes that rows have.
//
// Where a node has fewer rows than a column has bins, most bins are empty. What is scanned here are
// only those that are not, in their order (rows/row_window.hpp sums them): candidates, gains and ties
// are those of scan_column(), bit for bit. An empty bin divides the rows as the one before it does,
// and the tie goes to that one. None of the rows may be missing.
#pragma once

#include "split/scan.hpp"

#include <cstdint>

namespace ceiba {

struct RunView {
    const std::uint16_t* places;       // codes, increasing
    const std::uint64_t *first, *rest; // their words; rest null: one for each
    int n;
};

#define CEIBA_DECLARE_RUN_KERNELS(arch)                                                            \
    namespace arch {                                                                               \
    void scan_runs(const ColumnScan& scan, const RunView& runs, Split& best);                      \
    }
CEIBA_DECLARE_RUN_KERNELS(baseline)
CEIBA_DECLARE_RUN_KERNELS(avx2)
#undef CEIBA_DECLARE_RUN_KERNELS

// Replaces `best` where this column has a larger gain. The bins of `scan` are not read, and its packing
// is that of the runs.
void scan_runs(const ColumnScan& scan, const RunView& runs, Split& best);

// Makes "codes up to `last` go left" the decision of a split; `left` are the words that it sends there.
void take_run(const ColumnScan& scan, std::uint16_t last, const Pair& left, Split& split);

} // namespace ceiba
