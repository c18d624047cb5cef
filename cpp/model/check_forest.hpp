// Whether arrays that came from outside (a model file) describe a forest.
#pragma once

#include "tree/tree_arrays.hpp"

#include <cstdint>

namespace ceiba {

// Throws ModelFileError unless every index is in range, every node is reached once, and every
// prediction must come out finite. What passes can be walked without another check.
void check_forest(const TreeArrays& arrays, std::int64_t n_features, std::int64_t n_outputs);

} // namespace ceiba
