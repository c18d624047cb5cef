// Split search in presorted rows: every column keeps the rows of each node sorted by value.
//
// Trees without a limit that split at every distinct value spend their time in small nodes. This search
// neither sorts nor fills bins while the tree grows. It walks the sorted rows of a node once for each
// column; a split divides the rows of every column and keeps their order.
//
//   column 0   | rows of node 1, sorted by column 0 | rows of node 2 ... |
//   column 1   | rows of node 1, sorted by column 1 | rows of node 2 ... |
//   members    | rows of node 1, increasing         | rows of node 2 ... |
//
// Every node has units of its own: gradients minus their midrange, scaled by a power of two to 40 bits.
// So gains of nodes with small targets are as exact as those of the root, however large the targets of
// other nodes are. (If gains depend on the midrange, as with a penalty or entropies, it is not
// subtracted.) Sums are sums of integers.
//
// The life of sorted nodes, for one tree:
//   1. start() takes the selected rows, all in the root.
//   2. look_at() turns the gradients of a node into integers; scan() finds the best split of a column.
//   3. divide() moves the rows of a node that was split, those that go left to the front.
//   4. rows() has the rows of every leaf side by side.
#pragma once

#include "base/buffer.hpp"
#include "data/coded/ranked.hpp"
#include "gradient/quantize.hpp"
#include "split/exact_walk.hpp"
#include "split/scan.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace ceiba {

class SortedNodes {
  public:
    // The hessians of all views are constant; `rule` has no bounds.
    void start(const RankedColumns& ranked, std::span<const int> columns,
               std::span<const GradientView> views, const RowSelection& selection,
               const GainRule& rule, int n_threads);

    std::int64_t n_rows() const { return n_; }
    const std::int32_t* rows() const { return members_.data(); }

    // Returns false where all gradients are equal, so that nothing can be gained.
    bool look_at(std::int64_t begin, std::int64_t end);
    // Of the node that is looked at.
    double score() const { return score_; }
    // Replaces `best` where a column has a larger gain. The hessian of its left sums is in units of
    // hessian_unit(). Threads may scan several columns at the same time.
    void scan(int feature, Split& best) const;
    double hessian_unit() const { return hessian_unit_; }

    // Sets the threshold of a split: the midpoint of the neighboring values of the node. Moves its
    // rows and returns how many go left. `further`: one of the children may be split again.
    std::int64_t divide(Split& split, std::int64_t begin, std::int64_t end, bool further,
                        int n_threads);

  private:
    struct Rest {
        std::int64_t hessian, count;
    };
    struct Sides; // the sums left of a candidate

    RankedRow* entries(int feature) {
        return entries_.data() + slots_[static_cast<std::size_t>(feature)] * n_;
    }
    const RankedRow* entries(int feature) const {
        return const_cast<SortedNodes*>(this)->entries(feature);
    }
    void sort_column(const RankedColumns& ranked, int feature,
                     std::span<const std::int32_t> local_of);
    bool set_gradients(std::size_t output, std::int64_t repeats);
    void set_hessians(std::int64_t repeats);
    template <bool kPlain>
    void scan_rows(const RankedRow* entries, std::int64_t n, int feature, Split& best) const;
    void scan_any(const RankedRow* entries, std::int64_t n, int feature, Split& best) const;
    double gain_of(const Sides& left) const;

    const RankedColumns* ranked_ = nullptr;
    const GainRule* rule_ = nullptr;
    std::vector<GradientView> views_;
    WeightFacts weights_;
    bool centered_ = false;
    std::int64_t n_ = 0;
    std::vector<int> columns_;
    std::vector<std::int64_t> slots_; // of each column of the table
    Buffer<std::int32_t> selected_;   // the row of the table of each row of the tree
    Buffer<std::int32_t> members_;    // rows of the table, by node
    Buffer<std::int32_t> locals_;     // rows of the tree, by node
    Buffer<RankedRow> entries_;       // rank and row of the tree, column by column
    Buffer<std::uint8_t> goes_left_;  // by row of the tree
    // Of the node that is looked at, by row of the tree:
    Buffer<std::int64_t> gradients_; // output by output
    Buffer<Rest> rests_;             // none where rows have no weights
    std::int64_t begin_ = 0, end_ = 0;
    std::vector<double> gradient_units_, gradient_sums_; // by output
    std::vector<std::int64_t> gradient_totals_;
    double hessian_unit_ = 1, score_ = 0;
    Rest total_{0, 0};
};

} // namespace ceiba
