#include "split/drawn.hpp"

#include "split/exact_walk.hpp"

#include <limits>

namespace ceiba {

namespace {

// The gain of the candidate behind a bin, with the missing rows on the left or on the right; `left`
// are the sums up to that bin.
double gain_with(ColumnScan scan, int last, const Sums& left, const Sums& missing,
                 bool missing_left, double invalid) {
    // The candidate "missing against present" has no direction.
    if (last == scan.n_values - 1 && !missing_left) scan.direction = 0;
    return gain_of(scan, left, missing_left ? missing : Sums{}, invalid);
}

Sums sums_up_to(const ColumnScan& scan, int last) {
    return left_sums(scan, {scan.feature, static_cast<Code>(last), false, nullptr});
}

double gain_behind(const ColumnScan& scan, int last, bool missing_left, double invalid) {
    return gain_with(scan, last, sums_up_to(scan, last), missing_sums(scan), missing_left, invalid);
}

} // namespace

int drawn_bin(int n_values, bool has_missing, std::uint64_t lot) {
    const int n = n_values - (has_missing ? 0 : 1);
    return n < 1 ? -1 : static_cast<int>(lot % static_cast<std::uint64_t>(n));
}

int drawn_bin(const ColumnScan& scan) {
    return drawn_bin(scan.n_values, scan.has_missing, scan.lot);
}

void scan_drawn(const ColumnScan& scan, Split& best) {
    const int last = drawn_bin(scan);
    if (last >= 0) take_drawn(scan, last, sums_up_to(scan, last), missing_sums(scan), best);
}

void take_drawn(const ColumnScan& scan, int last, const Sums& left, const Sums& missing,
                Split& best) {
    constexpr double kNever = -std::numeric_limits<double>::infinity();
    const bool some_missing = missing.count > 0;
    const double to_right = gain_with(scan, last, left, missing, false, kNever),
                 to_left =
                     some_missing ? gain_with(scan, last, left, missing, true, kNever) : kNever;
    const double gain = to_left >= to_right ? to_left : to_right;
    if (!(gain > best.gain)) return;
    best.gain = gain;
    best.decision = {scan.feature, static_cast<Code>(last), !some_missing || to_left >= to_right,
                     nullptr};
    best.left = left;
    if (best.decision.missing_left) best.left += missing;
    best.child_l2 = 0;
}

Split drawn_of_level(std::span<const ColumnScan> nodes, std::span<const char> enough) {
    Split best;
    const int last = nodes.empty() ? -1 : drawn_bin(nodes[0]);
    if (last < 0) return best;
    double right = 0, left = 0;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        if (!enough[i]) continue;
        const double own = gain_behind(nodes[i], last, false, 0.0);
        right += own;
        left += missing_sums(nodes[i]).count > 0 ? gain_behind(nodes[i], last, true, 0.0) : own;
    }
    const bool missing_left = nodes[0].has_missing && left >= right;
    best.gain = missing_left ? left : right;
    best.decision = {nodes[0].feature, static_cast<Code>(last), missing_left, nullptr};
    return best;
}

} // namespace ceiba
