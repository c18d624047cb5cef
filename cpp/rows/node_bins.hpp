// Sums of the bins of one column in one node, from its sorted rows: a histogram of one column, in
// the layout that the scan reads.
#pragma once

#include "gradient/quantize.hpp"
#include "rows/node_values.hpp"
#include "rows/planes.hpp"

#include <cstdint>
#include <vector>

namespace ceiba {

class NodeBins {
  public:
    // One bin more than cuts, then that of missing values.
    void sum(const NodeValues& values, const Cuts& cuts, const Quantized& quantized);

    PlanesOf<const std::uint64_t> planes() const {
        const auto n_bins = static_cast<std::int64_t>(words_.size()) / n_planes_;
        return {words_.data(), n_bins, n_planes_, n_bins};
    }

  private:
    int n_planes_ = 1;
    std::vector<std::uint64_t> words_;
};

} // namespace ceiba
