// Lines in the leaves of a coded forest, laid out for many rows.
//
// The life of coded lines:
//   1. add_tree() takes the lines of a tree, leaf by leaf in the order of its slots (or nodes). All
//      leaves of a tree get room for as many terms as the longest line has; what is left over adds
//      nothing (-0.0, which leaves every sum as it is), so that rows of all leaves take the same steps.
//   2. read() copies the regressors of a block of rows side by side.
//   3. add() adds what the leaves of the block's rows add, values and lines, tree after tree.
#pragma once

#include "model/predict_kernels.hpp"
#include "model/row_source.hpp"
#include "tree/linear_part.hpp"
#include "tree/tree_arrays.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace ceiba {

// The regressors of the rows of a block: [row][place of the column].
struct LinearBlock {
    std::vector<double> values;
    std::vector<double> scratch;
};

struct CodedLinearLeaf {
    std::int64_t first_term = 0;
    std::int32_t n_terms = 0; // of each leaf of the tree
};

class CodedLinearLeaves {
  public:
    CodedLinearLeaves(const TreeArrays& arrays, std::int64_t n_features);

    bool any() const { return !columns_.empty(); }
    CodedLinearLeaf add_tree(std::int64_t first_node, std::span<const std::int32_t> nodes);

    void read(const RowSource& rows, std::int64_t first_row, int n_rows, LinearBlock& block) const;
    // What a row of the block has of a regressor.
    double value(const LinearBlock& block, std::int64_t row, std::int32_t feature) const {
        return block
            .values[static_cast<std::size_t>(row * static_cast<std::int64_t>(columns_.size()) +
                                             place_of_column_[static_cast<std::size_t>(feature)])];
    }
    // sums[row * step + k] += what leaf `leaves[row]` adds to output first + k, for k < width: values
    // of a leaf lie at values[leaf * step + k].
    template <class Leaf>
    void add(const CodedLinearLeaf& line, const Leaf* leaves, const LinearBlock& block, int n_rows,
             const double* values, int first, int width, int step, double* sums) const;

  private:
    struct Term {
        LinearLeafTerm term; // whose feature is a place in columns_
        double slope;    // of the first output
    };
    template <class Leaf>
    void add_one(const CodedLinearLeaf& line, const Leaf* leaves, const LinearBlock& block,
                 int n_rows, const double* values, double* sums) const;

    const TreeArrays& arrays_; // while trees are added
    std::int64_t leaf_width_;
    std::vector<std::int32_t> columns_, place_of_column_; // regressors; -1: none
    std::vector<Term> terms_;
    std::vector<double> slopes_; // leaf_width for each term, where it is above 1
};

extern template void CodedLinearLeaves::add(const CodedLinearLeaf&, const std::uint8_t*,
                                            const LinearBlock&, int, const double*, int, int, int,
                                            double*) const;
extern template void CodedLinearLeaves::add(const CodedLinearLeaf&, const std::int32_t*,
                                            const LinearBlock&, int, const double*, int, int, int,
                                            double*) const;

} // namespace ceiba
