// The exchange: the grower's only way to rows.
//
// A grower decides, an exchange knows where rows are: in this process, read from disk one block after
// the other, or on other machines. It is asked for few things, each for a batch of nodes, and every
// answer is a sum of integers or a maximum, so that how rows are divided changes nothing.
//
// The life of an exchange, for one tree:
//   1. measure() takes the gradients of the tree and the selected rows, and says how large they are.
//   2. pack() makes integers of them, by an order that holds for all rows (a heavy tail may ask for
//      a second one). Every selected row is then in node 0.
//   3. sum() adds up the histograms of a batch of nodes, apply() moves the rows of a batch of nodes
//      to their children and tells how many there are, until the tree has grown.
//   4. end() notes for each row the leaf it is in, and gives TreeRows: the way from leaves to rows.
//
// The life of the rows of a tree:
//   1. measure() and sum_leaves() give the sums that leaf values are made of, any number of times;
//      residuals() hands out what medians and quantiles are selected from.
//   2. add_to_scores() adds the values of leaves to the scores of all rows, also of those that were
//      not selected: they are routed through the tree.
//   3. They hold until the next tree that is handed the same TreeRows ends. An exchange that is written
//      in Python is then told to release() what it keeps of the tree.
//
// Gradients, scores and weights are handed over as arrays of all rows, in the order of the table; an
// exchange that keeps rows elsewhere sends each shard its part. Row numbers inside of a shard are the
// shard's own.
#pragma once

#include "base/errors.hpp"
#include "data/decision.hpp"
#include "gradient/quantize.hpp"
#include "gradient/weighted_quantile.hpp"
#include "rows/routing.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

namespace ceiba {

// Columns whose histograms are complete at the same time. Their bins lie side by side.
using ColumnGroup = std::vector<int>; // ascending

// What to sum, and into which histogram (n_planes planes of all bins, rows/planes.hpp).
struct SumOrder {
    int node;
    std::uint64_t* histogram;
};

// What the grower hands back. The exchange writes how many rows each child has.
struct SplitOrder {
    int node, left, right;
    Decision decision;
    std::int64_t n_left = 0, n_right = 0;
};

// Where the rows of a node of the grown tree are afterwards.
struct Home {
    int node;      // number in the pruned tree
    bool had_rows; // it was a leaf, and holds rows of its own
};

// Fixed-point sums of gradients and hessians, scaled as finely as 63 bits allow for all rows.
struct LeafSumOrder {
    double gradient_scale = 1, hessian_scale = 1;
    bool hessians = true; // summed row by row; otherwise rows are counted
};

// The residuals of the rows of each leaf, one leaf after the other, in no certain order.
struct LeafResiduals {
    std::vector<std::int64_t> begins; // by node, and the end
    Buffer<double> plain;             // where all rows weigh the same ...
    Buffer<WeightedValue> weighted;   // ... and where they do not

    void check_finite(bool finite) const;
};

// The rows of each leaf that the tree was grown on, one leaf after the other.
struct LeafRows {
    std::vector<std::int64_t> begins; // by node, and the end
    std::vector<std::int32_t> rows;   // ascending within a leaf
};

class TreeRows {
  public:
    virtual ~TreeRows() = default;

    // The extent of gradients over the rows that the tree was grown on.
    virtual Extent measure(const GradientView& view, const WeightFacts& weights,
                           int n_threads) const = 0;
    // By node; those of inner nodes are empty. A weight multiplies a gradient before it is rounded,
    // or, where weights are whole, the rounded one.
    virtual std::vector<Sums> sum_leaves(const GradientView& view, const WeightFacts& weights,
                                         const LeafSumOrder& order, int n_threads) const = 0;
    // target - scores of the rows that the tree was grown on. `plain`: without weights.
    virtual void residuals(const double* target, const double* scores, const WeightUnits& weights,
                           bool plain, int n_threads, LeafResiduals& out) const = 0;
    // moved[k][row] = scores[k][row] + values[leaf * width + k] for every row of the table and the
    // `width` values of a leaf; `moved` may be `scores`. `routes`: the tree, for rows that it was not
    // grown on.
    virtual void add_to_scores(std::span<const RoutedNode> routes, const double* values,
                               std::int64_t width, const double* scores, double* moved,
                               int n_threads) const = 0;

    // The three below need rows in this process.
    // The leaf of every row of the table, also of those that the tree was not grown on.
    virtual void leaves(std::span<const RoutedNode>, int /*n_threads*/,
                        std::int32_t* /*out*/) const {
        throw InputError("the leaves of single rows are known only where rows are in one place.");
    }
    virtual void rows_of_leaves(int /*n_threads*/, LeafRows& /*out*/) const {
        throw InputError("the rows of leaves are known only where rows are in one place.");
    }
    // Takes the rows that the tree was not grown on as if it had been, and returns how many of them
    // each leaf has, by node.
    virtual std::vector<std::int64_t> take_all(std::span<const RoutedNode>, int /*n_threads*/) {
        throw InputError("leaves of all rows need rows in one place.");
    }
    // Sends every row to the leaf where another table with the same bins and rows has it, and returns
    // how many of the rows that count each leaf has, by node. `all`: those that the tree was not grown
    // on count too.
    virtual std::vector<std::int64_t> move_to(const BinnedMatrix&, std::span<const RoutedNode>,
                                              bool /*all*/, int /*n_threads*/) {
        throw InputError("rows move to other leaves only where they are in one place.");
    }
};

class Exchange {
  public:
    virtual ~Exchange() = default;

    // The groups in which sum() completes columns, in the order in which a histogram has them. Columns
    // that cannot be split are in none; nor are, where rows are in this process, those that are lists
    // (rows/sparse_lists.hpp).
    virtual std::span<const ColumnGroup> groups() const = 0;

    virtual Measured measure(const GradientView& view, const RowSelection& selection,
                             int n_threads) = 0;
    virtual PackSums pack(const PackOrder& order, int n_threads) = 0;
    // Sums every order for every group that is asked for; calls summed(order, group) once for each
    // when it is complete. The call may come from any thread, for different (order, group) at the
    // same time.
    virtual void sum(std::span<const SumOrder> orders, std::span<const int> groups, int n_threads,
                     const std::function<void(int, int)>& summed) = 0;
    // Independent splits.
    virtual void apply(std::span<SplitOrder> orders, int n_threads) = 0;
    // `homes`: of every node of the grown tree. `rows`: what an earlier tree left, or none.
    virtual void end(std::span<const Home> homes, std::int64_t n_nodes, int n_threads,
                     std::unique_ptr<TreeRows>& rows) = 0;
};

} // namespace ceiba
