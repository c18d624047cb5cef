// Makes the leaves of a tree monotone, however they were fitted.
//
// Newton leaves are clipped to the bounds found during growth. These bounds do not apply to other
// leaves: medians, quantiles, steps of a tree grown without hessians, leaves refitted on new rows.
// Here the leaves of the two sides of every split of a constrained column, from the lowest split
// up, must not overlap. If they do, the midpoint of the two values that overlap most becomes the
// limit of both sides. Limits preserve the order below, so one pass is enough; leaves in order are
// not changed.
#pragma once

#include "tree/tree_arrays.hpp"

#include <cstdint>
#include <span>

namespace ceiba {

// One tree of TreeArrays.
struct TreeShape {
    std::span<const std::int32_t> feature, left, right;
    std::span<const double> threshold;
};

TreeShape shape_of(const TreeArrays& arrays, std::size_t begin, std::size_t n);

// directions: one per column; 1 increasing, -1 decreasing, 0 free. Values before or after the
// learning rate.
void make_leaves_monotone(const TreeShape& tree, std::span<const std::int8_t> directions,
                          std::span<double> values);

} // namespace ceiba
