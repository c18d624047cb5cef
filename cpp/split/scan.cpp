#include "split/scan.hpp"

#include "base/cpu.hpp"

namespace ceiba {

SplitKernels split_kernels() {
    return use_avx2()
               ? SplitKernels{avx2::scan_column, avx2::add_gains, avx2::value_gains}
               : SplitKernels{baseline::scan_column, baseline::add_gains, baseline::value_gains};
}

std::size_t first_filled(const ColumnScan& scan) {
    const std::uint64_t* counted = scan.rest == nullptr ? scan.first : scan.rest;
    std::size_t b = 0;
    while (b < static_cast<std::size_t>(scan.n_values) && counted[b] == 0) ++b;
    return b;
}

void take_threshold(const ColumnScan& scan, int last, bool missing_left, Split& split) {
    split.decision = {scan.feature, static_cast<Code>(last), missing_left, nullptr};
    split.left = left_sums(scan, split.decision);
}

Sums missing_sums(const ColumnScan& scan) {
    if (!scan.has_missing) return {};
    const std::uint64_t first = scan.first[scan.n_values];
    return scan.rest == nullptr ? unpack(first, *scan.packing)
                                : unpack(Pair{first, scan.rest[scan.n_values]}, *scan.packing);
}

Sums left_sums(const ColumnScan& scan, const Decision& decision) {
    std::uint64_t first = 0, rest = 0;
    auto add = [&](int b) {
        first += scan.first[b];
        if (scan.rest != nullptr) rest += scan.rest[b];
    };
    if (decision.set) {
        for (int b = 0; b < scan.n_values; ++b)
            if (decision.set->has(static_cast<Code>(b))) add(b);
    } else {
        for (int b = 0; b <= static_cast<int>(decision.last); ++b) add(b);
    }
    if (decision.missing_left && scan.has_missing) add(scan.n_values);
    return scan.rest == nullptr ? unpack(first, *scan.packing)
                                : unpack(Pair{first, rest}, *scan.packing);
}

} // namespace ceiba
