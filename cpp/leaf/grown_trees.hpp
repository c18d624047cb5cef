// The trees of one round, between growth and the model.
//
// The life of grown trees:
//   1. Grower::grow leaves its trees in the grower; GrownTrees copies their structure and remembers
//   the grower.
//   2. fit_constant() writes the values of leaves.
//   3. add_to_scores() adds them to the scores of the training rows, add_to_binned_scores() to
//   those of another table
//      with the same bins. The first needs the grower's rows and so must come before its next
//      grow().
//   4. arrays() stay for the model.
#pragma once

#include "leaf/constant.hpp"
#include "tree/grower.hpp"
#include "tree/routing.hpp"
#include "tree/tree_arrays.hpp"

#include <memory>

namespace ceiba {

class GrownTrees {
  public:
    explicit GrownTrees(std::shared_ptr<Grower> grower);

    void fit_constant(std::span<const GradientView> views, double learning_rate);
    // Leaves that do not go past the minimum of a loss with a log link (leaf/log_link.hpp).
    void shorten_leaves(double power, double tree_weight);
    // scores: one row of n_rows for each tree.
    void add_to_scores(double* scores) const;
    void add_to_binned_scores(const BinnedMatrix& binned, double* scores, int n_threads) const;

    const TreeArrays& arrays() const { return arrays_; }
    std::int64_t n_trees() const { return arrays_.n_trees(); }
    std::int64_t n_rows() const { return grower_->binned().n_rows(); }
    const Grower& grower() const { return *grower_; }

  private:
    void check_current() const;

    std::shared_ptr<Grower> grower_;
    std::uint64_t stamp_;
    TreeArrays arrays_;
    std::vector<BinSplit> splits_; // by node, as in arrays_
};

} // namespace ceiba
