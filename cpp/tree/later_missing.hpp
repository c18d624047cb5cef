// Default directions of columns without missing values in training: the child with more weight.
//
// Such a direction moves no training row, so it is set when the tree has grown. The weight of a node is
// its number of rows if there are no weights or they count as rows, otherwise the sum of its weights.
// Nodes of a symmetric level share their direction, by the weight of all of them. Where missing
// categories always go right, they do so here too.
#pragma once

#include "data/coded/binned.hpp"
#include "gradient/quantize.hpp"
#include "tree/node.hpp"
#include "tree/plan.hpp"

namespace ceiba {

// The tree has its leaf of every row. `view`: what it was grown from.
void direct_later_missing(GrownTree& tree, const BinMapper& mapper, const GradientView& view,
                          const WeightFacts& weights, const GrowPlan& plan, int n_threads);

} // namespace ceiba
