// Forest: checked, immutable trees as flat arrays, with fast prediction.
//
// The life of a forest:
//   1. Training hands over grown trees, or a model file its arrays. They are checked once.
//   2. The first prediction compiles them: `Walker` for few rows, `CodedForest` for many. Each is
//      made once, by the first thread that needs it, and kept.
//   3. add() adds the trees of a range of iterations, in order, to the scores of each row. So
//      stages added one by one, all trees at once and the scores of training have the same bits.
//   4. slice() makes a new forest of some iterations.
//   5. A forest may be made of another one with a factor for each iteration. Compiling multiplies
//      the leaf values by it; the two forests share their arrays.
#pragma once

#include "model/row_source.hpp"
#include "tree/tree_arrays.hpp"

#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

namespace ceiba {

class CodedForest;
class Walker;

class Forest {
  public:
    Forest(TreeArrays arrays, std::int64_t n_features, std::int64_t n_outputs);
    // Shares the trees (at least one) with other owners, none of which changes them.
    Forest(std::shared_ptr<const TreeArrays> arrays, std::int64_t n_features,
           std::int64_t n_outputs);
    // The trees of a forest without linear leaves, multiplied by a factor for each iteration.
    Forest(const Forest& other, std::span<const double> factors);
    ~Forest();
    Forest(const Forest&) = delete;
    Forest& operator=(const Forest&) = delete;

    const TreeArrays& arrays() const { return *arrays_; }
    const std::shared_ptr<const TreeArrays>& shared_arrays() const { return arrays_; }
    std::int64_t n_features() const { return n_features_; }
    std::int64_t n_outputs() const { return n_outputs_; }
    std::int64_t n_trees() const { return arrays_->n_trees(); }
    std::int64_t leaf_width() const { return arrays_->leaf_width; }
    std::int64_t trees_per_iteration() const { return arrays_->trees_per_iteration(n_outputs_); }
    std::int64_t n_iterations() const { return n_trees() / trees_per_iteration(); }

    TreeArrays slice(std::int64_t begin, std::int64_t end) const;

    // scores[row * n_outputs + output] += the trees of iterations [begin, end).
    void add(const RowSource& rows, double* scores, std::int64_t begin, std::int64_t end,
             int n_threads) const;
    // leaves[row * n_trees + tree] = node of the tree (counted from its root) where the row ends.
    void apply(const RowSource& rows, std::int32_t* leaves, std::int64_t begin, std::int64_t end,
               int n_threads) const;

  private:
    void check_range(std::int64_t begin, std::int64_t end) const;
    const Walker& walker() const;
    const CodedForest& coded() const;

    std::shared_ptr<const TreeArrays> arrays_;
    std::int64_t n_features_, n_outputs_;
    std::vector<double> factors_; // per tree; empty: all 1
    mutable std::once_flag walker_made_, coded_made_;
    mutable std::unique_ptr<const Walker> walker_;
    mutable std::unique_ptr<const CodedForest> coded_;
};

} // namespace ceiba
