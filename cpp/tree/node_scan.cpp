#include "tree/node_scan.hpp"

#include "data/edge_rule.hpp"

#include <algorithm>
#include <limits>

namespace ceiba {

namespace {

// The bins of one column in the form that the scan reads.
struct Bins {
    std::vector<std::uint64_t> first, rest;

    void clear(std::size_t n, bool pairs) {
        first.assign(n, 0);
        rest.assign(pairs ? n : 0, 0);
    }
    void add(std::size_t bin, std::int64_t row, const Quantized& quantized) {
        const Packing& packing = quantized.packing;
        const auto place = static_cast<std::size_t>(row);
        if (packing.form == Form::wide) {
            const Pair& pair = quantized.pairs[place];
            first[bin] += pair.gradient;
            rest[bin] += pair.rest;
            return;
        }
        const std::uint64_t word = quantized.words[place];
        if (packing.form == Form::single) {
            first[bin] += word;
            return;
        }
        const std::uint64_t hessian = (word >> kPackedCountBits) & low_bits(kPackedHessianBits);
        first[bin] +=
            static_cast<std::uint64_t>(shift_signed(word, kPackedCountBits + kPackedHessianBits));
        rest[bin] += (hessian << packing.count_bits) + (word & low_bits(kPackedCountBits));
    }
};

struct Room {
    NodeValues values;
    Cuts cuts;
    Bins bins;
};

} // namespace

void scan_node(std::span<const Shard> shards, int node, const RankedColumns& ranked, int feature,
               const Proposal& proposal, const Quantized& quantized, const GainRule& rule,
               const Sums& total, double parent_score, Split& best) {
    thread_local Room room;
    auto& [values, cuts, bins] = room;
    values.read(shards, node, ranked, feature);
    proposal.of_node(shards, node, feature, values, cuts);

    const std::size_t n_bins = cuts.size() + 1;
    bins.clear(n_bins + 1, quantized.packing.bins_are_pairs());
    std::size_t bin = 0;
    for (std::size_t i = 0; i < values.n_present(); ++i) {
        while (bin < cuts.size() && values.rank(i) > cuts[bin]) ++bin;
        bins.add(bin, values.row(i), quantized);
    }
    for (const std::int32_t row : values.missing()) bins.add(n_bins, row, quantized);

    const ColumnScan scan{bins.first.data(),
                          bins.rest.empty() ? nullptr : bins.rest.data(),
                          feature,
                          static_cast<int>(n_bins),
                          ranked.has_missing(feature),
                          &quantized.packing,
                          &rule,
                          total,
                          parent_score};
    Split found;
    split_kernels().scan_column(scan, found);
    if (!found.found() || !(found.gain > best.gain)) return;
    best = found;
    const auto place = static_cast<std::size_t>(found.bin);
    if (place >= cuts.size()) { // missing against present
        best.rank = static_cast<std::uint32_t>(ranked.values(feature).size());
        best.threshold = std::numeric_limits<double>::infinity();
        return;
    }
    best.rank = cuts[place];
    std::size_t low = 0, high = values.n_present(); // the first row above the cut
    while (low < high) {
        const std::size_t middle = (low + high) / 2;
        if (values.rank(middle) <= best.rank)
            low = middle + 1;
        else
            high = middle;
    }
    best.threshold =
        edge_between(ranked.values(feature)[best.rank], ranked.values(feature)[values.rank(low)]);
}

} // namespace ceiba
