// Low-latency predictor for small batches: walks eight trees at a time on raw values so that memory
// loads overlap.
//
// Nodes are copied with siblings adjacent (right = left + 1), and a leaf is a split whose two
// children are itself, so that a walk needs no branch for leaves.
#pragma once

#include "model/row_source.hpp"
#include "tree/tree_arrays.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace ceiba {

class Walker {
  public:
    // Refers to the sets of levels and linear leaves of `arrays`, which must outlive it. factors:
    // multipliers of trees without linear leaves; empty: all 1.
    Walker(const TreeArrays& arrays, std::span<const double> factors, std::int64_t n_features,
           std::int64_t n_outputs);

    // For rows [first, last): scores of row `first` are at scores[0].
    void add(const RowSource& rows, std::int64_t first, std::int64_t last, std::int64_t tree_begin,
             std::int64_t tree_end, double* scores) const;
    void apply(const RowSource& rows, std::int64_t first, std::int64_t last,
               std::int64_t tree_begin, std::int64_t tree_end, std::int32_t* leaves,
               std::int64_t leaves_per_row) const;

  private:
    static constexpr std::uint32_t kBySet = std::uint32_t{1} << 31;

    struct Node {
        union {
            double threshold;
            std::int64_t name; // of a node with a set: its index in the arrays
        };
        std::uint32_t feature; // 0 in a leaf; plus kBySet
        std::int32_t left : 31;
        std::uint32_t missing_right : 1;
    };

    template <bool kSets, class Visit>
    void walk_trees(const double* row, std::int64_t tree_begin, std::int64_t tree_end,
                    Visit visit) const;
    template <class Visit>
    void walk(const double* row, std::int64_t tree_begin, std::int64_t tree_end, Visit visit) const;
    bool is_outside(const Node& node, double x) const; // the set of the node
    // The contribution of a node of nodes_ to an output.
    double added(std::int64_t tree, std::int64_t node, std::int64_t output,
                 const double* row) const;

    const TreeArrays& arrays_;
    std::int64_t n_features_, n_outputs_, leaf_width_;
    std::vector<std::int64_t> offsets_;
    std::vector<Node> nodes_;
    std::vector<double> values_;      // leaf_width per node of nodes_, in their order
    std::vector<std::int32_t> names_; // index of the node in the original tree
};

} // namespace ceiba
