// Where missing values go that come later, in columns that had none when the tree was grown: to the
// child with more weight.
//
// Such a direction moves no row of the training, so it is settled when the tree is there. How heavy
// a node is: its rows, where there are no weights or they count as rows; otherwise the sum of its
// weights. The nodes of a level of a symmetric tree share their split, and so what is heavier for
// all of them together. Where missing values of categories always go right, they do so later too.
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
