// The edges of sparse columns, from their entries and the weight of all rows that have none.
#pragma once

#include "data/binning/edge_finder.hpp"

#include <cstdint>
#include <vector>

namespace ceiba {

// The same as find_edges() finds: the rule depends on values and weights alone.
std::vector<FoundEdges> find_sparse_edges(const std::vector<const Column*>& columns,
                                          const EdgeWeights& units, std::int64_t max_value_bins,
                                          int n_threads);

} // namespace ceiba
