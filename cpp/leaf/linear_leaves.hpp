// Linear leaves: trees are grown with constant leaves, then every leaf gets a ridge fit.
//
// The life of the linear leaves of a tree:
//   1. They are created when the splits are known. linear_columns.hpp chooses the columns of every
//      leaf. Their values are copied leaf after leaf, and give the mean and range of each column. A
//      column that is constant in the leaf is dropped, and a leaf of fewer than 2 (1 + k) rows
//      stays constant.
//   2. fit() computes the slopes of one output (linear_solve.hpp) and the constants that belong to
//      them. A leaf with undetermined slopes stays constant.
//   3. append() adds them to the arrays of all trees; add_to_scores() adds the leaf outputs,
//      computed from the numbers in these arrays, if the tree has all rows.
//
//   values   | leaf 2: column 0 | column 3 | leaf 5: column 0 | ...      of the rows of the leaf
//
// Rows of a leaf are far apart in the table, and leaves on one branch use the same columns. So the
// work is divided by rows of the table: a thread processes the rows of all leaves within a stretch,
// whose columns, gradients and scores stay in the cache.
//
// Means, ranges and sums are integer sums or maxima, so the order of rows and threads changes
// nothing. Regressors are centered and scaled within their leaf before they are rounded, so that a
// leaf far from 0, or a small part of a wide range, loses no precision.
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

// Buffers of one tree's linear leaves, to be reused by the next.
struct LinearScratch {
    LeafRows rows;
    Buffer<double> values;
};

class TreeLinearLeaves {
  public:
    // Arguments must outlive it, except for the regressors. width: outputs of a leaf.
    TreeLinearLeaves(const GrownTree& tree, const Regressors& regressors,
                     const WeightFacts& weights, const GrowPlan& plan, std::int64_t width,
                     int n_threads, LinearScratch room = {});
    // Takes the buffers for reuse; the object is unusable afterwards.
    LinearScratch take_room() { return {std::move(rows_), std::move(values_)}; }

    // Fit the slopes of an output, times the rate. In a leaf with slopes the value becomes the
    // constant that belongs to them. smallest: minimum hessian of a leaf with its own value.
    void fit(const GradientView& view, const Extent& extent, std::int64_t output, double rate,
             double smallest, std::span<double> values);
    void append(TreeArrays& arrays) const;

    bool has_all_rows(std::int64_t n_rows) const { return std::ssize(rows_.rows) == n_rows; }
    std::int64_t n_values() const { return n_values_; }
    // moved[k][row] = scores[k][row] + the output of the row's leaf: values and slopes, or only
    // slopes. first_node: of the tree in the arrays, after append().
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
        std::int64_t repeats = 0; // number of rows, where weight k counts k times
        std::vector<Regressor> regressors;
        std::vector<double> slopes; // [regressor][output]
    };
    // The rows of a leaf within a stretch of the table.
    struct Piece {
        int node;
        std::int64_t line;       // index of the leaf's linear part; -1: none
        std::int64_t begin, end; // in rows_
        std::int64_t first;      // the same, counted within the leaf
        std::int64_t size() const { return end - begin; }
    };

    void measure(const Regressors& regressors);
    void measure_piece(const Regressors& regressors, const Piece& piece, std::span<ColumnRange> out,
                       std::int64_t& repeats);
    void settle(LinearPart& line, std::span<const ColumnRange> ranges) const;
    void cut_pieces();
    // Call task(p) for all pieces; those of a stretch run on one thread.
    template <class Task>
    void for_each_piece(int n_threads, std::int64_t work, Task&& task) const;
    double scale_of(const Regressors& regressors, std::int32_t feature) const;
    // If slopes are shrunk, sums of squared gradients and hessians follow the moments.
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
    std::vector<LinearPart> linear_leaves_; // per node
    std::vector<Piece> pieces_;
    std::vector<std::size_t> stretches_; // the first piece of each, then the end
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
