// Rows to leaves by their bins, or by their ranks: decisions as the grower found them, before
// thresholds.
#pragma once

#include "data/binned.hpp"
#include "data/decision.hpp"
#include "data/ranked.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace ceiba {

struct RoutedNode {
    Decision decision; // none: a leaf
    std::int32_t left, right;
};

// The leaf of a row.
int route(const BinnedMatrix& binned, std::span<const RoutedNode> tree, std::int64_t row);
int route(const RankedColumns& ranked, std::span<const RoutedNode> tree, std::int64_t row);

} // namespace ceiba
