// Sums of gradients and hessians over the rows of every node, for leaf values.
//
// Splits are chosen by coarser sums. Here the gradient of each row becomes a fixed-point number, as
// fine as the number of rows allows in 63 bits. Sums of integers do not depend on row order or threads.
#pragma once

#include "gradient/quantize.hpp"
#include "tree/node.hpp"

#include <vector>

namespace ceiba {

struct NodeSum {
    double gradient = 0, hessian = 0;
};

// Whether hessians are summed row by row; otherwise rows are counted.
inline bool sums_hessians(const GradientView& view, const WeightFacts& weights) {
    return view.hessians != nullptr || weights.multiply_before();
}

// The extent of a view over the rows that the tree was grown on, where it is not the view that the
// tree was grown from.
Extent extent_of_rows(const GrownTree& tree, const GradientView& view, const WeightFacts& weights,
                      int n_threads);

// By node; an inner node has the sum of its children. `extent` is that of the view.
std::vector<NodeSum> sum_nodes(const GrownTree& tree, const GradientView& view,
                               const WeightFacts& weights, const Extent& extent, int n_threads);

} // namespace ceiba
