// The exchange: the grower's only access to rows.
//
// The grower decides; the exchange knows where rows are: in this process, on disk block by block,
// or on other machines. It has few operations, each for a batch of nodes, and every result is a sum
// of integers or a maximum, so that the division of rows changes nothing.
//
// The life of an exchange, for one tree:
//   1. measure() takes the gradients of the tree and the selected rows, and returns their extent.
//   2. pack() quantizes them by an order that holds for all rows (a heavy tail may need a second
//      one). Every selected row is then in node 0.
//   3. sum() computes the histograms of a batch of nodes, apply() moves the rows of a batch of
//      nodes to their children and returns their counts, until the tree has grown.
//   4. end() stores the leaf of each row and returns TreeRows: access to the rows of leaves.
//
// The life of the rows of a tree:
//   1. measure() and sum_leaves() compute the sums for leaf values, any number of times;
//      residuals() copies the values from which medians and quantiles are selected.
//   2. add_to_scores() adds leaf values to the scores of all rows. Rows that were not selected are
//      routed through the tree.
//   3. They are valid until the next tree with the same TreeRows ends. An exchange written in
//      Python is then told to release() its data of the tree.
//
// Gradients, scores and weights are arrays of the rows of this process, in table order. Rows
// elsewhere keep their own: the arrays are then empty, and views and facts only say which ones are
// meant (GradientView::output, WeightFacts::sample). Row numbers within a shard are local to it.
#pragma once

#include "base/errors.hpp"
#include "data/decision.hpp"
#include "gradient/quantize.hpp"
#include "gradient/weighted_quantile.hpp"
#include "rows/routing.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace ceiba {

// Columns whose histograms are complete at the same time. Their bins are contiguous.
using ColumnGroup = std::vector<int>; // ascending

// What to sum, and into which histogram (n_planes planes of all bins, rows/planes.hpp).
struct SumOrder {
    int node;
    std::uint64_t* histogram;
};

// A split from the grower. The exchange writes the row counts of the children.
struct SplitOrder {
    int node, left, right;
    Decision decision;
    std::int64_t n_left = 0, n_right = 0;
};

// The final node of the rows of a grown node.
struct Home {
    int node;      // number in the pruned tree
    bool had_rows; // it was a leaf and has its own rows
};

// Fixed-point sums of gradients and hessians, with as many bits as fit into 63 for all rows.
struct LeafSumOrder {
    double gradient_scale = 1, hessian_scale = 1;
    bool hessians = true; // summed row by row; otherwise rows are counted
    // Above 0: only a part of each gradient is summed, its multiples of the unit or the remainder.
    double unit = 0;
    bool remainder = false;
};

// A statistic of the residuals of a leaf (leaf/residual.hpp).
struct ResidualRule {
    enum class Kind {
        quantile,      // of level `option`; see gradient/weighted_quantile.hpp
        huber,         // the minimum of Huber's loss with delta `option`
        huber_friedman // the median plus the mean difference, clipped to delta `option`
    };
    Kind kind;
    double option;
};

// The statistic of each leaf, by node, and the weight of its rows.
struct LeafStatistics {
    std::vector<double> values, weights;
};

// The residuals of the rows of each leaf, leaf after leaf, in no particular order within one.
struct LeafResiduals {
    std::vector<std::int64_t> begins; // by node, then the end
    Buffer<double> plain;             // if all rows have the same weight ...
    Buffer<WeightedValue> weighted;   // ... otherwise

    void check_finite(bool finite) const;
};

// The rows of each leaf that the tree was grown on, leaf after leaf.
struct LeafRows {
    std::vector<std::int64_t> begins; // by node, then the end
    std::vector<std::int32_t> rows;   // ascending within a leaf
};

class TreeRows {
  public:
    virtual ~TreeRows() = default;

    // The extent of gradients over the rows that the tree was grown on.
    virtual Extent measure(const GradientView& view, const WeightFacts& weights,
                           int n_threads) const = 0;
    // By node; empty for inner nodes. A weight multiplies a gradient before it is rounded or, if
    // weights are integers, the rounded one.
    virtual std::vector<Sums> sum_leaves(const GradientView& view, const WeightFacts& weights,
                                         const LeafSumOrder& order, int n_threads) const = 0;
    // target - scores of the rows that the tree was grown on. `plain`: without weights.
    virtual void residuals(const double* target, const double* scores, const WeightUnits& weights,
                           bool plain, int n_threads, LeafResiduals& out) const = 0;
    // Statistics of residuals that are not in this process; nothing if they are. `output`: index of
    // the scores among those of the round.
    virtual std::optional<LeafStatistics> remote_statistics(const ResidualRule& /*rule*/,
                                                            std::size_t /*output*/,
                                                            const WeightFacts& /*weights*/) const {
        return std::nullopt;
    }
    // moved[k][row] = scores[k][row] + values[leaf * width + k] for every row of the table and the
    // `width` values of a leaf; `moved` may be `scores`. `routes`: the tree, for rows that it was not
    // grown on.
    virtual void add_to_scores(std::span<const RoutedNode> routes, const double* values,
                               std::int64_t width, const double* scores, double* moved,
                               int n_threads) const = 0;

    // The three below need rows in this process. The leaf of every row of the table, also of those
    // that the tree was not grown on.
    virtual void leaves(std::span<const RoutedNode>, int /*n_threads*/,
                        std::int32_t* /*out*/) const {
        throw InputError("Leaves of single rows are known only if all rows are in one process.");
    }
    virtual void rows_of_leaves(int /*n_threads*/, LeafRows& /*out*/) const {
        throw InputError("Rows of leaves are known only if all rows are in one process.");
    }
    // Treat all rows as if the tree had been grown on them; returns the number of rows in each
    // leaf, by node.
    virtual std::vector<std::int64_t> take_all(std::span<const RoutedNode>, int /*n_threads*/) {
        throw InputError("Leaves of all rows need all rows in one process.");
    }
    // Move every row to its leaf according to another table with the same bins and rows; returns
    // the number of counted rows in each leaf, by node. `all`: rows that the tree was not grown on
    // count too.
    virtual std::vector<std::int64_t> move_to(const BinnedMatrix&, std::span<const RoutedNode>,
                                              bool /*all*/, int /*n_threads*/) {
        throw InputError("Rows can move to other leaves only if all rows are in one process.");
    }
};

class Exchange {
  public:
    virtual ~Exchange() = default;

    // The groups in which sum() completes columns, in histogram order. Columns that cannot be split
    // are in none, and neither are columns stored as lists in this process (rows/sparse_lists.hpp).
    virtual std::span<const ColumnGroup> groups() const = 0;

    virtual Measured measure(const GradientView& view, const RowSelection& selection,
                             int n_threads) = 0;
    virtual PackSums pack(const PackOrder& order, int n_threads) = 0;
    // Sum every order for every requested group; calls summed(order, group) once for each when it
    // is complete. The call may come from any thread, for different (order, group) at the same
    // time.
    virtual void sum(std::span<const SumOrder> orders, std::span<const int> groups, int n_threads,
                     const std::function<void(int, int)>& summed) = 0;
    // Apply independent splits.
    virtual void apply(std::span<SplitOrder> orders, int n_threads) = 0;
    // `homes`: for every node of the grown tree. `rows`: those of an earlier tree to reuse, or
    // null.
    virtual void end(std::span<const Home> homes, std::int64_t n_nodes, int n_threads,
                     std::unique_ptr<TreeRows>& rows) = 0;
};

} // namespace ceiba
