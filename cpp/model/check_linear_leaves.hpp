// Checks that the linear leaves of arrays from outside (a model file) are valid.
#pragma once

#include "tree/tree_arrays.hpp"

#include <cstdint>
#include <string>

namespace ceiba {

// Throws the error that users see for damaged trees.
[[noreturn]] void fail_damaged(const std::string& what);

// Throws ModelFileError unless every node has its terms, each for a column that no node splits by a
// set of levels, with finite numbers and a mean within its range. check_forest() checks the splits.
void check_linear_leaves(const TreeArrays& arrays, std::int64_t n_features);

// The largest absolute contribution of a leaf to an output. With extrapolation it is unbounded, and
// this is that of rows slightly outside the range.
double largest_of_leaf(const TreeArrays& arrays, std::int64_t node, std::int64_t output);

} // namespace ceiba
