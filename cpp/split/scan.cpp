#include "split/scan.hpp"

#include "base/cpu.hpp"

namespace ceiba {

SplitKernels split_kernels() {
    return use_avx2()
               ? SplitKernels{avx2::scan_column, avx2::scan_pairs, avx2::add_gains,
                              avx2::value_gains, avx2::add_terms,  avx2::add_noise}
               : SplitKernels{baseline::scan_column, baseline::scan_pairs, baseline::add_gains,
                              baseline::value_gains, baseline::add_terms,  baseline::add_noise};
}

std::size_t first_filled(const ColumnScan& scan) {
    const std::uint64_t* counted = scan.counted();
    std::size_t b = 0;
    while (b < static_cast<std::size_t>(scan.n_values) && counted[b] == 0) ++b;
    return b;
}

void take_threshold(const ColumnScan& scan, int last, bool missing_left, Split& split) {
    split.decision = {scan.feature, static_cast<Code>(last), missing_left, nullptr};
    split.left = left_sums(scan, split.decision);
    split.child_l2 = 0;
}

Sums missing_sums(const ColumnScan& scan) {
    return scan.has_missing ? unpack(scan.words(scan.n_values), *scan.packing) : Sums{};
}

Sums left_sums(const ColumnScan& scan, const Decision& decision) {
    Pair left{0, 0};
    auto add = [&](int b) { left.add(scan.words(b)); };
    if (decision.set) {
        for (int b = 0; b < scan.n_values; ++b)
            if (decision.set->has(static_cast<Code>(b))) add(b);
    } else {
        for (int b = 0; b <= static_cast<int>(decision.last); ++b) add(b);
    }
    if (decision.missing_left && scan.has_missing) add(scan.n_values);
    return unpack(left, *scan.packing);
}

} // namespace ceiba
