#include "rows/node_bins.hpp"

namespace ceiba {

void NodeBins::sum(const NodeValues& values, const Cuts& cuts, const Quantized& quantized) {
    const std::size_t n_bins = cuts.size() + 2;
    n_planes_ = quantized.packing.n_planes();
    words_.assign(n_bins * static_cast<std::size_t>(n_planes_), 0);
    auto add = [&](std::size_t bin, std::int64_t row) {
        const Pair words = quantized.of_row(row);
        words_[bin] += words.first;
        if (n_planes_ > 1) words_[n_bins + bin] += words.rest;
    };
    std::size_t bin = 0;
    for (std::size_t i = 0; i < values.n_present(); ++i) {
        while (bin < cuts.size() && values.rank(i) > cuts[bin]) ++bin;
        add(bin, values.row(i));
    }
    for (const std::int32_t row : values.missing()) add(cuts.size() + 1, row);
}

} // namespace ceiba
