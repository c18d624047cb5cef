// Rows to leaves by their bins, or by their ranks: the split of a node as the grower found it,
// before thresholds.
#pragma once

#include "data/binned.hpp"
#include "data/ranked.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace ceiba {

struct BinSplit {
    std::int32_t feature, bin; // feature -1: a leaf; exact: a rank in place of a bin
    std::int32_t left, right;
    bool missing_left;
};

// The leaf of a row.
int route(const BinnedMatrix& binned, std::span<const BinSplit> tree, std::int64_t row);
int route(const RankedColumns& ranked, std::span<const BinSplit> tree, std::int64_t row);

} // namespace ceiba
