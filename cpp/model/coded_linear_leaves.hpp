// Linear leaves of a coded forest, laid out for many rows.
//
// The life of coded linear leaves:
//   1. add_tree() takes the linear leaves of a tree, in the order of its slots (or nodes). All
//      leaves of a tree are padded to the number of terms of the longest one with terms that add
//      -0.0, which changes no sum, so that rows of all leaves take the same steps.
//   2. read() copies the regressors of a block of rows into contiguous memory.
//   3. add() adds the outputs of the leaves of the block's rows, values and linear parts, tree
//      after tree.
#pragma once

#include "model/predict_kernels.hpp"
#include "model/row_source.hpp"
#include "tree/linear_part.hpp"
#include "tree/tree_arrays.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace ceiba {

// The regressors of the rows of a block: [row][index of the column].
struct LinearBlock {
    std::vector<double> values;
    std::vector<double> scratch;
};

struct CodedLinearLeaf {
    std::int64_t first_term = 0;
    std::int32_t n_terms = 0; // per leaf of the tree
};

class CodedLinearLeaves {
  public:
    CodedLinearLeaves(const TreeArrays& arrays, std::int64_t n_features);

    bool any() const { return !columns_.empty(); }
    CodedLinearLeaf add_tree(std::int64_t first_node, std::span<const std::int32_t> nodes);

    void read(const RowSource& rows, std::int64_t first_row, int n_rows, LinearBlock& block) const;
    // The regressor value of a row of the block.
    double value(const LinearBlock& block, std::int64_t row, std::int32_t feature) const {
        return block
            .values[static_cast<std::size_t>(row * static_cast<std::int64_t>(columns_.size()) +
                                             place_of_column_[static_cast<std::size_t>(feature)])];
    }
    // sums[row * step + k] += output first + k of leaf `leaves[row]`, for k < width. The values of
    // a leaf are at values[leaf * step + k].
    template <class Leaf>
    void add(const CodedLinearLeaf& line, const Leaf* leaves, const LinearBlock& block, int n_rows,
             const double* values, int first, int width, int step, double* sums) const;

  private:
    struct Term {
        LinearLeafTerm term; // its feature is an index into columns_
        double slope;        // of the first output
    };
    template <class Leaf>
    void add_one(const CodedLinearLeaf& line, const Leaf* leaves, const LinearBlock& block,
                 int n_rows, const double* values, double* sums) const;

    const TreeArrays& arrays_; // used while trees are added
    std::int64_t leaf_width_;
    std::vector<std::int32_t> columns_, place_of_column_; // regressors; -1: none
    std::vector<Term> terms_;
    std::vector<double> slopes_; // leaf_width per term, if above 1
};

extern template void CodedLinearLeaves::add(const CodedLinearLeaf&, const std::uint8_t*,
                                            const LinearBlock&, int, const double*, int, int, int,
                                            double*) const;
extern template void CodedLinearLeaves::add(const CodedLinearLeaf&, const std::int32_t*,
                                            const LinearBlock&, int, const double*, int, int, int,
                                            double*) const;

} // namespace ceiba
