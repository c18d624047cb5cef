// Values of nodes that cannot be fitted themselves.
//
// A symmetric tree splits all nodes of a level alike, so leaves may have no rows, or a hessian
// below the minimum of a leaf. Without a penalty their steps would be unbounded. They take the
// value of their parent. If only leaves were fitted, a split has the mean of its children, weighted
// by their covers.
#pragma once

#include "tree/grower.hpp"

#include <span>

namespace ceiba {

// Minimum hessian of a node with its own value, in a tree with a total of `all`; 0: having rows is
// enough.
double smallest_cover(const GrowPlan& plan, double all);
// Whether a node takes its parent's value.
bool is_too_light(const Node& node, double hessian, double smallest);

// Covers of leaves are given; those of splits become the sums of their children.
void fill_inner_values(const GrownTree& tree, double smallest, std::span<double> values,
                       std::span<double> covers);

} // namespace ceiba
