// Split search with candidates of the node's own: approx per node.
//
// The life of a scan, for one column of one node:
//   1. The rows of the node are read and sorted by their ranks in the column.
//   2. The proposal cuts them into bins by the weights of this node.
//   3. The sums of the bins go through the ordinary scan.
//   4. The bin that was found becomes a rank and a threshold: the midpoint between the last value
//      on the left and the next one in the node.
#pragma once

#include "gradient/quantize.hpp"
#include "tree/proposal.hpp"
#include "tree/split.hpp"

#include <span>

namespace ceiba {

// Replaces `best` where the column has a larger gain.
void scan_node(std::span<const Shard> shards, int node, const RankedColumns& ranked, int feature,
               const Proposal& proposal, const Quantized& quantized, const GainRule& rule,
               const Sums& total, double parent_score, Split& best);

} // namespace ceiba
