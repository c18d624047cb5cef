#include "split/exact_walk.hpp"

#include "split/exact.hpp"

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

std::vector<Pair> sums_before(const ColumnScan& scan) {
    std::vector<Pair> before(static_cast<std::size_t>(scan.n_values) + 1, Pair{0, 0});
    for (int b = 0; b < scan.n_values; ++b) {
        Pair next = before[static_cast<std::size_t>(b)];
        next.add(scan.words(b));
        before[static_cast<std::size_t>(b) + 1] = next;
    }
    return before;
}

ColumnWalk::ColumnWalk(const ColumnScan& scan, const Quantized& quantized,
                       std::span<const std::uint32_t> first_ranks)
    : scan_(&scan), quantized_(&quantized), first_ranks_(first_ranks), before_(sums_before(scan)),
      missing_(missing_sums(scan)) {}

// Sums of single values within one bin, and the gains behind them.
struct ColumnWalk::Values {
    std::vector<std::uint32_t> ranks;
    std::vector<std::uint64_t> words; // two planes
    std::vector<double> gains, gains_left;

    std::uint64_t* first() { return words.data(); }
    std::uint64_t* rest() { return words.data() + ranks.size(); }

    void need(std::size_t n) {
        if (ranks.size() >= n) return;
        ranks.resize(n);
        words.resize(2 * n);
        gains.resize(n);
        gains_left.resize(n);
    }
};

void ColumnWalk::walk(std::span<const RankedRow> rows, Split& best) const {
    thread_local Values values;
    values.need(rows.size());
    std::size_t bin = 0;
    for (std::size_t i = 0; i < rows.size();) {
        while (rows[i].rank() >= first_ranks_[bin + 1]) ++bin;
        const std::uint32_t end = first_ranks_[bin + 1];
        std::size_t n = 0;
        for (std::uint32_t rank = end; i < rows.size() && rows[i].rank() < end; ++i) {
            // Rows that are neighbours by value lie far apart in memory.
            if (i + kAhead < rows.size()) ask_for(*quantized_, rows[i + kAhead].row());
            const Pair own = quantized_->of_row(rows[i].row());
            if (rows[i].rank() != rank) {
                rank = rows[i].rank();
                values.ranks[n] = rank;
                values.first()[n] = values.rest()[n] = 0;
                ++n;
            }
            values.first()[n - 1] += own.first;
            values.rest()[n - 1] += own.rest;
        }
        if (n > 1) try_values(values, n - 1, static_cast<int>(bin), best); // the last ends the bin
    }
}

// Gains are computed many at a time; only a candidate that may win is looked at closely.
void ColumnWalk::try_values(Values& values, std::size_t n, int bin, Split& best) const {
    Pair left = before_[static_cast<std::size_t>(bin)];
    ColumnScan scan = *scan_;
    scan.bins = {values.words.data(), std::ssize(values.ranks), scan_->bins.n_planes,
                 static_cast<std::int64_t>(n)};
    scan.n_values = static_cast<int>(n);
    scan.missing = missing_;
    const bool both = missing_.count > 0;
    split_kernels().value_gains(scan, left, values.gains.data(),
                                both ? values.gains_left.data() : nullptr);
    for (std::size_t k = 0; k < n; ++k) {
        left.add({values.first()[k], values.rest()[k]});
        if (values.gains[k] >= best.gain || (both && values.gains_left[k] >= best.gain))
            try_threshold(left, values.ranks[k], best);
    }
}

void ColumnWalk::try_threshold(const Pair& raw, std::uint32_t rank, Split& best) const {
    constexpr double kNever = -std::numeric_limits<double>::infinity();
    const Packing& packing = quantized_->packing;
    const Sums left = unpack(raw, packing);
    Split found{kNever, {scan_->feature, rank, false, nullptr}, 0, left, 0};
    found.gain = gain_of(*scan_, left, {}, kNever);
    if (missing_.count > 0) {
        const double gain = gain_of(*scan_, left, missing_, kNever);
        if (gain >= found.gain) {
            found.gain = gain;
            found.decision.missing_left = true;
            found.left += missing_;
        }
    }
    if (found.gain < best.gain || !is_better(found, best)) return;
    if (missing_.count == 0) found.decision.missing_left = true; // as in the scan
    best = found;
}

} // namespace ceiba
