#include "tree/exact_walk.hpp"

#include "tree/exact.hpp"

namespace ceiba {

namespace {

constexpr std::size_t kAhead = 12;

void ask_for(const Quantized& quantized, std::int32_t row) {
    if (quantized.packing.form == Form::single)
        __builtin_prefetch(quantized.words.data() + row);
    else
        __builtin_prefetch(quantized.pairs.data() + row);
}

} // namespace

std::vector<RawSums> sums_before(const ColumnScan& scan) {
    std::vector<RawSums> before(static_cast<std::size_t>(scan.n_values) + 1);
    for (int b = 0; b < scan.n_values; ++b) {
        RawSums next = before[static_cast<std::size_t>(b)];
        next.add({scan.first[b], scan.rest == nullptr ? 0 : scan.rest[b]});
        before[static_cast<std::size_t>(b) + 1] = next;
    }
    return before;
}

ColumnWalk::ColumnWalk(const ColumnScan& scan, const Quantized& quantized,
                       std::span<const std::uint32_t> first_ranks)
    : scan_(&scan), quantized_(&quantized), first_ranks_(first_ranks), before_(sums_before(scan)),
      missing_(missing_sums(scan)) {}

void ColumnWalk::walk(std::span<const RankedRow> rows, Split& best) const {
    std::size_t bin = 0;
    RawSums left;
    std::uint32_t rank = 0, end = 0; // of the row before, and of its bin
    for (std::size_t i = 0; i < rows.size(); ++i) {
        // Rows that are neighbours by value lie far apart in memory.
        if (i + kAhead < rows.size()) ask_for(*quantized_, rows[i + kAhead].row());
        const std::uint32_t own = rows[i].rank();
        if (own >= end) {
            while (own >= first_ranks_[bin + 1]) ++bin;
            end = first_ranks_[bin + 1];
            left = before_[bin];
        } else if (own != rank) {
            try_threshold(left, rank, static_cast<int>(bin), best);
        }
        rank = own;
        left.add(raw_sums(*quantized_, rows[i].row()));
    }
}

void ColumnWalk::try_threshold(const RawSums& raw, std::uint32_t rank, int bin, Split& best) const {
    constexpr double kNever = -std::numeric_limits<double>::infinity();
    const Packing& packing = quantized_->packing;
    const Sums left = unpack(raw, packing);
    Split found{kNever, scan_->feature, bin, rank, 0, false, left};
    found.gain = gain_of(*scan_, left, {}, kNever);
    if (missing_.count > 0) {
        const double gain = gain_of(*scan_, left, missing_, kNever);
        if (gain >= found.gain) {
            found.gain = gain;
            found.missing_left = true;
            found.left += missing_;
        }
    }
    if (found.gain < best.gain || !is_better(found, best)) return;
    // As in the scan: without missing rows in the node, to the left or to the heavier child.
    if (missing_.count == 0)
        found.missing_left =
            scan_->has_missing || 2 * packing.weight(found.left) >= packing.weight(scan_->total);
    best = found;
}

} // namespace ceiba
