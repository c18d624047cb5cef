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

ColumnWalk::ColumnWalk(std::vector<ColumnScan> scans, const OutputRows& rows,
                       std::span<const std::uint32_t> first_ranks)
    : scans_(std::move(scans)), rows_(rows), first_ranks_(first_ranks) {
    for (const ColumnScan& scan : scans_) {
        before_.push_back(sums_before(scan));
        missing_.push_back(missing_sums(scan));
    }
}

// Sums of single values within one bin, and the gains behind them.
struct ColumnWalk::Values {
    std::vector<std::uint32_t> ranks;
    // Planes: gradients (or single words) of the first output, hessians and counts, gradients of the
    // others.
    std::vector<std::uint64_t> words;
    std::vector<double> gains, gains_left, own, own_left;

    std::uint64_t* plane(std::size_t k) { return words.data() + k * ranks.size(); }
    std::uint64_t* gradients(std::size_t output) { return plane(output == 0 ? 0 : output + 1); }
    Pair sums(std::size_t output, std::size_t value) const {
        const std::size_t size = ranks.size();
        return {words[(output == 0 ? 0 : output + 1) * size + value], words[size + value]};
    }

    void need(std::size_t n, std::size_t n_outputs) {
        if (ranks.size() < n) {
            ranks.resize(n);
            for (auto* const each : {&gains, &gains_left, &own, &own_left}) each->resize(n);
        }
        words.resize((n_outputs + 1) * ranks.size());
    }
};

void ColumnWalk::walk(std::span<const RankedRow> rows, Split& best) const {
    thread_local Values values;
    const std::size_t n_outputs = rows_.n_outputs();
    values.need(rows.size(), n_outputs);
    std::uint64_t *first = values.plane(0), *rest = values.plane(1);
    std::size_t bin = 0;
    for (std::size_t i = 0; i < rows.size();) {
        while (rows[i].rank() >= first_ranks_[bin + 1]) ++bin;
        const std::uint32_t end = first_ranks_[bin + 1];
        std::size_t n = 0;
        for (std::uint32_t rank = end; i < rows.size() && rows[i].rank() < end; ++i) {
            // Rows with neighboring values are far apart in memory.
            if (i + kAhead < rows.size()) ask_for(*rows_.first, rows[i + kAhead].row());
            const Pair own = rows_.first->of_row(rows[i].row());
            if (rows[i].rank() != rank) {
                rank = rows[i].rank();
                values.ranks[n] = rank;
                first[n] = rest[n] = 0;
                for (std::size_t k = 1; k < n_outputs; ++k) values.gradients(k)[n] = 0;
                ++n;
            }
            first[n - 1] += own.first;
            rest[n - 1] += own.rest;
            for (std::size_t k = 1; k < n_outputs; ++k)
                values.gradients(k)[n - 1] +=
                    rows_.more[k - 1].words[static_cast<std::size_t>(rows[i].row())];
        }
        if (n > 1)
            try_values(values, n - 1, static_cast<int>(bin), best); // the last value ends the bin
    }
}

// Adds outputs in the same order as the scan of bins.
void ColumnWalk::find_gains(Values& values, std::size_t n, int bin) const {
    const auto size = std::ssize(values.ranks);
    for (std::size_t k = 0; k < scans_.size(); ++k) {
        ColumnScan scan = scans_[k];
        std::uint64_t* gradients = values.gradients(k);
        scan.bins = {gradients, values.plane(1) - gradients, scans_[k].bins.n_planes,
                     static_cast<std::int64_t>(n)};
        if (k == 0) scan.bins.stride = size;
        scan.n_values = static_cast<int>(n);
        scan.missing = missing_[k];
        double *gains = k == 0 ? values.gains.data() : values.own.data(),
               *gains_left = k == 0 ? values.gains_left.data() : values.own_left.data();
        const bool both = missing_[0].count > 0;
        split_kernels().value_gains(scan, before_[k][static_cast<std::size_t>(bin)], gains,
                                    both ? gains_left : nullptr);
        if (k == 0) continue;
        for (std::size_t i = 0; i < n; ++i) values.gains[i] += gains[i];
        for (std::size_t i = 0; i < n && both; ++i) values.gains_left[i] += gains_left[i];
    }
}

// Computes gains in batches; only candidates that may win are examined exactly.
void ColumnWalk::try_values(Values& values, std::size_t n, int bin, Split& best) const {
    find_gains(values, n, bin);
    const bool some_missing = missing_[0].count > 0;
    std::size_t winner = n;
    double gain = best.gain;
    Decision decision = best.decision;
    for (std::size_t i = 0; i < n; ++i) {
        const bool left = some_missing && values.gains_left[i] >= values.gains[i];
        const double own = left ? values.gains_left[i] : values.gains[i];
        const Decision found{scans_[0].feature, values.ranks[i], left, nullptr};
        if (own < gain || !wins(own, found, gain, decision)) continue;
        winner = i;
        gain = own;
        decision = found;
    }
    if (winner == n) return;
    best = {};
    best.gain = gain;
    best.decision = decision;
    for (std::size_t k = 0; k < scans_.size(); ++k) {
        Pair words = before_[k][static_cast<std::size_t>(bin)];
        for (std::size_t i = 0; i <= winner; ++i) words.add(values.sums(k, i));
        Sums left = unpack(words, *scans_[k].packing);
        if (decision.missing_left) left += missing_[k];
        if (k == 0)
            best.left = left;
        else
            best.more_left.push_back(left);
    }
    if (!some_missing) best.decision.missing_left = true; // as in the scan
}

} // namespace ceiba
