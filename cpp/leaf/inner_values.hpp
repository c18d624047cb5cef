// Values of nodes that have none of their own.
//
// A symmetric tree splits all nodes of a level alike, so leaves may have no rows, or hessians below
// the smallest that a leaf is to have, which say next to nothing and would, without a penalty, ask
// for steps without bound. They have the value of their parent. Where only leaves were fitted, a
// split has the mean of its children, weighted by their covers.
#pragma once

#include "tree/grower.hpp"

#include <span>

namespace ceiba {

// The least hessian with which a node has a value of its own, in a tree with `all` of it; 0: rows
// are enough.
double smallest_cover(const GrowPlan& plan, double all);
// Whether a node takes its parent's value.
bool is_too_light(const Node& node, double hessian, double smallest);

// Covers of leaves are given, those of splits become the sums of their children.
void fill_inner_values(const GrownTree& tree, double smallest, std::span<double> values,
                       std::span<double> covers);

} // namespace ceiba
