// Lines in leaves: constant growth, then a ridge fit in every leaf.
//
// The life of the lines of a tree:
//   1. They are made for a tree whose splits are known. Columns are chosen for every leaf
//      (linear_columns.hpp), their values are put side by side, leaf after leaf, and tell their mean and
//      range; a column that is the same in all rows is dropped, and a leaf of fewer than 2 (1 + k) rows
//      has no line.
//   2. fit() gives the slopes of one output (linear_solve.hpp) and the constants that belong to them. A
//      leaf whose slopes are not determined has none.
//   3. append() puts them behind the lines of the trees before; add_to_scores() adds what leaves add, with
//      the numbers that the arrays have by then, where the tree has all rows.
//
//   values   | leaf 2: column 0 | column 3 | leaf 5: column 0 | ...      of the rows of the leaf
//
// Rows of a leaf are far apart in the table, and leaves on one branch ask for the same columns. So the
// work is cut by rows of the table: a thread goes through the rows of all leaves within a stretch of
// it, whose columns, gradients and scores stay in the cache meanwhile.
//
// Means, ranges and sums are those of integers, or maxima: the order of rows and threads change nothing.
// Regressors are centred and scaled by what their leaf has of them before they are rounded, so that a
// leaf far from 0, or a small part of a wide range, loses nothing.
#pragma once

#include "base/buffer.hpp"
#include "data/regressors.hpp"
#include "gradient/quantize.hpp"
#include "leaf/linear_kernels.hpp"
#include "parallel/pool.hpp"
#include "rows/exchange.hpp"
#include "tree/node.hpp"
#include "tree/plan.hpp"
#include "tree/tree_arrays.hpp"

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace ceiba {

// Memory of one tree's lines that the next one can have.
struct LinearScratch {
    LeafRows rows;
    Buffer<double> values;
};

class TreeLinearLeaves {
  public:
    // What is given must outlive it, but for the regressors. width: outputs of a leaf.
    TreeLinearLeaves(const GrownTree& tree, const Regressors& regressors,
                     const WeightFacts& weights, const GrowPlan& plan, std::int64_t width,
                     int n_threads, LinearScratch room = {});
    // It can do nothing afterwards.
    LinearScratch take_room() { return {std::move(rows_), std::move(values_)}; }

    // The slopes of an output, times the rate. Where a leaf has some, its value becomes the constant that
    // belongs to them. smallest: hessians without which a leaf has no value of its own.
    void fit(const GradientView& view, const Extent& extent, std::int64_t output, double rate,
             double smallest, std::span<double> values);
    void append(TreeArrays& arrays) const;

    bool has_all_rows(std::int64_t n_rows) const { return std::ssize(rows_.rows) == n_rows; }
    std::int64_t n_values() const { return n_values_; }
    // moved[k][row] = scores[k][row] + what the leaf of the row adds, values and slopes or slopes alone.
    // first_node: of the tree, in the arrays, whose lines are those that were appended.
    void add_to_scores(const TreeArrays& arrays, std::int64_t first_node, bool with_values,
                       std::int64_t n_rows, const double* scores, double* moved,
                       int n_threads) const;

  private:
    struct Regressor {
        std::int32_t feature;
        std::int64_t first; // value
        double mean = 0, low = 0, high = 0, scale = 1;
    };
    struct LinearPart {
        int node;
        std::int64_t repeats = 0; // rows, those of weight k k times
        std::vector<Regressor> regressors;
        std::vector<double> slopes; // [regressor][output]
    };
    // The rows of a leaf within a stretch of the table.
    struct Piece {
        int node;
        std::int64_t line;       // its number, -1: none
        std::int64_t begin, end; // in rows_
        std::int64_t first;      // the same, counted in the leaf
        std::int64_t size() const { return end - begin; }
    };

    void measure(const Regressors& regressors);
    void measure_piece(const Regressors& regressors, const Piece& piece, std::span<ColumnRange> out,
                       std::int64_t& repeats);
    void settle(LinearPart& line, std::span<const ColumnRange> ranges) const;
    void cut_pieces();
    // task(p) for all pieces; those of a stretch on one thread.
    template <class Task>
    void for_each_piece(int n_threads, std::int64_t work, Task&& task) const;
    double scale_of(const Regressors& regressors, std::int32_t feature) const;
    // Behind the moments come the sums of squared gradients and hessians, where slopes are shrunk.
    void add_moments(const Piece& piece, const GradientView& view, double gradient_scale,
                     double hessian_scale, int bits, std::int64_t* sums) const;
    void solve(LinearPart& line, const std::int64_t* sums, double gradient_unit,
               double hessian_unit, int bits, std::int64_t output, double rate, double smallest,
               std::span<double> values) const;

    const GrownTree& tree_;
    const WeightFacts& weights_;
    const GrowPlan& plan_;
    std::int64_t width_;
    int n_threads_, bits_ = 0, weight_bits_ = 0; // of sums of values
    LeafRows rows_;
    std::vector<LinearPart> linear_leaves_; // by node
    std::vector<Piece> pieces_;
    std::vector<std::size_t> stretches_; // the first piece of each, and the end
    Buffer<double> values_;
    std::int64_t n_values_ = 0;
};

template <class Task>
void TreeLinearLeaves::for_each_piece(int n_threads, std::int64_t work, Task&& task) const {
    parallel_for(useful_threads(n_threads, work * std::ssize(rows_.rows)),
                 std::ssize(stretches_) - 1, [&](std::int64_t s) {
                     const auto at = static_cast<std::size_t>(s);
                     for (std::size_t p = stretches_[at]; p < stretches_[at + 1]; ++p) task(p);
                 });
}

} // namespace ceiba
