// Bin edges of sparse columns, from their entries and the total weight of the other rows.
#pragma once

#include "data/binning/edge_finder.hpp"

#include <cstdint>
#include <vector>

namespace ceiba {

// Same result as find_edges(): the rule depends only on values and weights.
std::vector<FoundEdges> find_sparse_edges(const std::vector<const Column*>& columns,
                                          const EdgeWeights& units, std::int64_t max_value_bins,
                                          int n_threads);

} // namespace ceiba
