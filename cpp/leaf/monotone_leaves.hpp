// Monotone leaves of a tree, whatever they were fitted with.
//
// Newton leaves are clipped to the bounds that grew with the tree. Other leaves (medians,
// quantiles, steps of a tree that was grown without hessians, leaves refitted on new rows) have
// values that those bounds do not measure. Here the leaves themselves are put in order: at every
// split of a column with a direction, from the lowest split up, the leaves of the two sides must
// not overlap. Where they do, a line half way between the two that overlap most becomes the limit
// of both sides. Limits keep the order of what is below, so one pass is enough; leaves in order are
// not touched.
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

// directions: 1 rises, -1 falls, 0 free, one for each column. Values before or after the learning
// rate.
void make_leaves_monotone(const TreeShape& tree, std::span<const std::int8_t> directions,
                          std::span<double> values);

} // namespace ceiba
