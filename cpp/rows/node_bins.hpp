// Sums of the bins of one column in one node, from its sorted rows: a histogram of one column, in
// the form that the scan reads.
#pragma once

#include "gradient/quantize.hpp"
#include "rows/node_values.hpp"

#include <cstdint>
#include <vector>

namespace ceiba {

class NodeBins {
  public:
    // One bin more than cuts, then that of missing values.
    void sum(const NodeValues& values, const Cuts& cuts, const Quantized& quantized);

    const std::uint64_t* first() const { return first_.data(); }
    const std::uint64_t* rest() const { return rest_.empty() ? nullptr : rest_.data(); }

  private:
    template <class Add>
    void over_rows(const NodeValues& values, const Cuts& cuts, Add add);

    std::vector<std::uint64_t> first_, rest_;
};

} // namespace ceiba
