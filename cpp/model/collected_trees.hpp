// The trees of a training, round after round.
//
// The life of collected trees:
//   1. They begin with none, or with those of an earlier forest, which is not copied before it has to be.
//   2. add() appends the trees of a round. Whoever grew them may then forget them: trees without a limit
//      are what a training of a forest holds most of, and are held once.
//   3. forest() makes a forest of the first iterations. One of all of them shares the arrays.
//   4. An add() after that copies them first, if that forest is still there: forests never change.
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
    TreeArrays* own_ = nullptr; // those of arrays_, where they are not an earlier forest's
};

} // namespace ceiba
