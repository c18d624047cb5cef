// Trees for few rows: walked on the raw values, eight trees at a time so that their memory reads
// overlap.
//
// Nodes are laid out anew: siblings side by side (right = left + 1), and a leaf is a split whose
// both ways lead to itself, so that a walk needs no branch on "is this a leaf".
#pragma once

#include "model/row_source.hpp"
#include "tree/tree_arrays.hpp"

#include <cstdint>
#include <vector>

namespace ceiba {

class Walker {
  public:
    Walker(const TreeArrays& arrays, std::int64_t n_features, std::int64_t n_outputs);

    // For rows [first, last): scores of row `first` lie at scores[0].
    void add(const RowSource& rows, std::int64_t first, std::int64_t last, std::int64_t tree_begin,
             std::int64_t tree_end, double* scores) const;
    void apply(const RowSource& rows, std::int64_t first, std::int64_t last,
               std::int64_t tree_begin, std::int64_t tree_end, std::int32_t* leaves,
               std::int64_t leaves_per_row) const;

  private:
    struct Node {
        double threshold;
        std::uint32_t feature; // of a leaf 0
        std::int32_t left : 31;
        std::uint32_t missing_right : 1;
    };

    template <class Visit>
    void walk(const double* row, std::int64_t tree_begin, std::int64_t tree_end, Visit visit) const;

    std::int64_t n_features_, n_outputs_, leaf_width_;
    std::vector<std::int64_t> offsets_;
    std::vector<Node> nodes_;
    std::vector<double> values_;      // leaf_width for each of nodes_, in their order
    std::vector<std::int32_t> names_; // index of the node in the original tree
};

} // namespace ceiba
