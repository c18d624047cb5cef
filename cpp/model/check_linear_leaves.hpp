// Whether the lines of leaves that came from outside (a model file) are lines.
#pragma once

#include "tree/tree_arrays.hpp"

#include <cstdint>
#include <string>

namespace ceiba {

// What a user reads of trees that are none.
[[noreturn]] void fail_damaged(const std::string& what);

// Throws ModelFileError unless every node has its terms, each of a column that no node splits by a set
// of levels, with finite numbers and a mean within its range. Splits are looked at by check_forest().
void check_linear_leaves(const TreeArrays& arrays, std::int64_t n_features);

// The largest size of what a leaf adds to an output; where lines extrapolate there is none, and it is
// that of rows a little beyond the range.
double largest_of_leaf(const TreeArrays& arrays, std::int64_t node, std::int64_t output);

} // namespace ceiba
