#include "rows/node_bins.hpp"

namespace ceiba {

template <class Add>
void NodeBins::over_rows(const NodeValues& values, const Cuts& cuts, Add add) {
    std::size_t bin = 0;
    for (std::size_t i = 0; i < values.n_present(); ++i) {
        while (bin < cuts.size() && values.rank(i) > cuts[bin]) ++bin;
        add(bin, static_cast<std::size_t>(values.row(i)));
    }
    for (const std::int32_t row : values.missing())
        add(cuts.size() + 1, static_cast<std::size_t>(row));
}

void NodeBins::sum(const NodeValues& values, const Cuts& cuts, const Quantized& quantized) {
    const Packing& packing = quantized.packing;
    first_.assign(cuts.size() + 2, 0);
    rest_.assign(packing.bins_are_pairs() ? cuts.size() + 2 : 0, 0);
    switch (packing.form) {
    case Form::single:
        over_rows(values, cuts,
                  [&](std::size_t bin, std::size_t row) { first_[bin] += quantized.words[row]; });
        break;
    case Form::wide:
        over_rows(values, cuts, [&](std::size_t bin, std::size_t row) {
            first_[bin] += quantized.pairs[row].gradient;
            rest_[bin] += quantized.pairs[row].rest;
        });
        break;
    case Form::packed:
        over_rows(values, cuts, [&](std::size_t bin, std::size_t row) {
            const std::uint64_t word = quantized.words[row];
            const std::uint64_t hessian = (word >> kPackedCountBits) & low_bits(kPackedHessianBits);
            first_[bin] += static_cast<std::uint64_t>(
                shift_signed(word, kPackedCountBits + kPackedHessianBits));
            rest_[bin] += (hessian << packing.count_bits) + (word & low_bits(kPackedCountBits));
        });
        break;
    }
}

} // namespace ceiba
