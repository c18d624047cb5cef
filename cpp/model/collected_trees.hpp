// Collects the trees of a training, round after round.
//
// The life of collected trees:
//   1. They begin empty, or with the trees of a previous forest, which are copied only when needed.
//   2. add() appends the trees of a round. The grower may then drop them, so that unlimited trees,
//      most of the memory of a forest training, are stored once.
//   3. forest() makes a forest of the first iterations. A forest of all of them shares the arrays.
//   4. If such a forest still exists, the next add() copies the arrays first: forests are
//      immutable.
#pragma once

#include "model/forest.hpp"
#include "tree/tree_arrays.hpp"

#include <cstdint>
#include <memory>

namespace ceiba {

class CollectedTrees {
  public:
    CollectedTrees(std::int64_t n_features, std::int64_t n_outputs, const Forest* before,
                   std::int64_t n_parallel);

    void add(const TreeArrays& trees);
    std::int64_t n_iterations() const {
        return arrays_->n_trees() / arrays_->trees_per_iteration(n_outputs_);
    }
    std::unique_ptr<Forest> forest(std::int64_t n_iterations) const;

  private:
    std::int64_t n_features_, n_outputs_;
    std::shared_ptr<const TreeArrays> arrays_;
    TreeArrays* own_ = nullptr; // those of arrays_, unless these belong to a previous forest
};

} // namespace ceiba
