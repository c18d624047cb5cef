// The settings of tree growth as plain numbers: made by boosting/grow_plan.py, read by the grower.
#pragma once

#include "gradient/linear_model.hpp"
#include "split/category.hpp"
#include "split/gain.hpp"

#include <cstdint>
#include <limits>
#include <vector>

namespace ceiba {

enum class GrowPolicy { leafwise, depthwise, symmetric, depthfirst };
enum class SplitScore { newton, cosine, entropy };
enum class ApproxScope { tree, node };
// The columns that linear leaves may have (leaf/linear_columns.hpp).
enum class LinearColumns { path, tree, given };

// Settings of single columns. Each is empty, or has an entry for every column of the table.
struct ColumnConstraints {
    std::vector<std::int8_t> monotone;          // 1: rises, -1: falls, 0: free
    std::vector<std::vector<int>> interactions; // sets of columns that may meet on a path
    std::vector<double> weights;                // of column sampling
    bool listed_only = false;                   // columns in no set of interactions are not split
    std::vector<std::uint8_t> kinds;            // CategoryKind of every column; empty: all numbers
};

struct GrowPlan {
    GrowPolicy grow_policy = GrowPolicy::leafwise;
    int max_depth = 0;   // 0: no limit
    int max_leaves = 31; // 0: no limit
    std::int64_t min_samples_leaf = 1;
    double min_child_weight = 0;
    double reg_lambda = 0, reg_alpha = 0;
    double min_split_gain = 0;
    double max_delta_step = 0; // 0: no limit
    double colsample_bytree = 1, colsample_bylevel = 1, colsample_bynode = 1;
    std::uint64_t seed = 0;
    bool weighted_counts = true; // whole weights count as rows
    std::int64_t min_samples_split = 2;
    int columns_bynode = 0;        // a number of columns instead of a share; 0: the share holds
    bool draw_until_split = false; // where no column drawn for a node has a split, others are drawn
    int columns_bypath = 0;        // columns that may meet on a path; 0: any number
    bool prune_after = false;      // min_split_gain is looked at when the tree has grown
    double min_impurity_decrease = 0;    // smallest gain, divided by the hessians of the tree
    double min_weight_fraction_leaf = 0; // smallest share of the hessians of the tree in a leaf
    double ccp_alpha = 0; // smallest mean gain of splits, divided by the hessians of the tree
    bool penalize_bounded = true; // the L1 penalty counts in scores within bounds
    bool own_units = false;       // gains of nodes of small gradients are exact beside large ones
    bool unit_hessians = false;   // trees are grown on gradients alone; leaves use the hessians
    bool drop_hopeless_columns =
        false;                       // below a node, columns without a gain in it are not looked at
    bool estimate_rows = false;      // candidates count rows by hessians (split/row_counts.hpp)
    bool leaves_of_all_rows = false; // also of those that the tree was not grown on
    bool penalize_steps = false; // reg_lambda holds back each further step of a leaf, not its value
    bool backtrack = true;       // further steps stay where the minimum is known to be
    SplitScore score = SplitScore::newton; // what ranks the candidates of a split
    bool extra_trees = false; // of the candidates of a column one is drawn (split/drawn.hpp)
    ColumnConstraints columns;
    CategoryRule category;
    double sketch_eps = 0; // approx: the error of candidates; 0: they are not proposed
    ApproxScope approx_scope = ApproxScope::tree; // approx: for what candidates are proposed
    LinearRule linear_gain;                       // the gain of splits is that of linear models
    bool linear_leaves = false; // leaves have linear parts (leaf/linear_leaves.hpp)
    LinearColumns linear_columns = LinearColumns::path;
    int max_linear_features = 5; // of a leaf
    double linear_lambda = 0;
    bool shrink_slopes = false;             // by the noise of their leaf (leaf/linear_solve.hpp)
    bool extrapolate_linear_leaves = false; // beyond the range of the rows of their leaf
    bool vector_leaves = false; // one tree for all outputs, split by the gradients of all of them

    double step_limit() const {
        return max_delta_step > 0 ? max_delta_step : std::numeric_limits<double>::infinity();
    }
    GainRule gain_rule() const {
        GainRule rule;
        rule.lambda = reg_lambda;
        rule.alpha = reg_alpha;
        rule.limit = step_limit();
        rule.bounded_alpha = penalize_bounded ? reg_alpha : 0.0;
        rule.min_child_weight = min_child_weight;
        rule.min_count = min_samples_leaf > 1 ? static_cast<double>(min_samples_leaf) : 1.0;
        rule.bounded = max_delta_step > 0 || is_monotone();
        rule.cosine = score == SplitScore::cosine;
        return rule;
    }
    bool is_monotone() const { return !columns.monotone.empty(); }
    int direction(int feature) const {
        return is_monotone() ? columns.monotone[static_cast<std::size_t>(feature)] : 0;
    }
    CategoryKind kind(int feature) const {
        return columns.kinds.empty()
                   ? CategoryKind::number
                   : static_cast<CategoryKind>(columns.kinds[static_cast<std::size_t>(feature)]);
    }
    bool is_category(int feature) const { return kind(feature) != CategoryKind::number; }
    // The smallest hessian sum of a leaf in a tree with this hessian sum.
    double leaf_hessian(double hessian) const {
        const double share = min_weight_fraction_leaf * hessian;
        return share > min_child_weight ? share : min_child_weight;
    }
    // The smallest gain of a split while such a tree grows.
    double gain_to_grow(double hessian) const {
        const double decrease = min_impurity_decrease * hessian;
        return !prune_after && min_split_gain > decrease ? min_split_gain : decrease;
    }
};

} // namespace ceiba
