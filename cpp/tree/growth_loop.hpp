// The growth loop: frontier, batch, split, search, until no node may be split or the tree is full.
//
// The frontier (tree/frontier.hpp) decides which nodes come next; the loop knows neither the growth
// policy nor how splits are found. window_growth.hpp is another loop, for trees without limits.
#pragma once

#include "tree/split_search.hpp"

namespace ceiba {

// Grows the tree below its root.
void grow_nodes(GrowingTree& tree, SplitSearch& search);

} // namespace ceiba
