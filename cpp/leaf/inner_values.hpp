// Values of splits, and of leaves without rows, where only leaves with rows were fitted.
//
// A split has the mean of its children, weighted by their covers; a leaf without rows (symmetric
// growth) has the value of its parent.
#pragma once

#include "tree/grower.hpp"

#include <span>

namespace ceiba {

// Covers of leaves are given, those of splits become the sums of their children.
void fill_inner_values(const GrownTree& tree, std::span<double> values, std::span<double> covers);

} // namespace ceiba
