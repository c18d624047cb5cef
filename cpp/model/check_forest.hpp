// Checks that arrays from outside (a model file) describe a valid forest.
#pragma once

#include "tree/tree_arrays.hpp"

#include <cstdint>

namespace ceiba {

// Throws ModelFileError unless every index is in range, every node is reached exactly once, and
// every prediction is finite. Checked forests can be walked without further checks.
void check_forest(const TreeArrays& arrays, std::int64_t n_features, std::int64_t n_outputs);

} // namespace ceiba
