// GrownTrees: the trees of one round, between growth and the model.
//
// The life of grown trees:
//   1. Grower::grow leaves its trees in the grower. GrownTrees copies their structure and keeps a
//      pointer to the grower. Outputs that share their trees (several quantiles) get one tree with
//      a value per output in each leaf: leaf_width.
//   2. fit_constant() or fit_residual() writes the leaf values, which shorten_leaves() may limit.
//      Or begin_steps(), any number of step() and end_steps() write them. With linear leaves, the
//      slopes are those of the first Newton step.
//   3. add_to_scores() adds them to the scores of the training rows, add_to_binned_scores() to
//      those of another table with the same bins. The first needs the grower's rows and so must be
//      called before its next grow().
//   4. The model takes arrays().
//
// Output t * leaf_width + c is column c of the values of tree t. Leaves are fitted output by
// output.
#pragma once

#include "leaf/constant.hpp"
#include "leaf/further_steps.hpp"
#include "leaf/monotone_leaves.hpp"
#include "leaf/residual.hpp"
#include "parallel/rows.hpp"
#include "rows/leaf_of_row.hpp"
#include "rows/routing.hpp"
#include "tree/grower.hpp"
#include "tree/tree_arrays.hpp"

#include <memory>
#include <optional>

namespace ceiba {

class GrownTrees {
  public:
    // The trees of the grower that belong to one of its samples.
    explicit GrownTrees(std::shared_ptr<Grower> grower, std::int64_t leaf_width = 1,
                        std::size_t sample = 0, std::size_t n_samples = 1);

    // `others`: the gradients are not those that the trees were grown from.
    void fit_constant(std::span<const GradientView> views, double learning_rate,
                      bool others = false);
    // Fit slopes and the constants that belong to them, if the plan has linear leaves. Newton fits
    // call it. Call it before fit_residual(), which then computes its own constants.
    void fit_linear_leaves(std::span<const GradientView> views, double learning_rate,
                           bool others = false);
    // Leaves of several Newton steps: the first, later ones with gradients at the scores that
    // include the leaf values so far (leaf/further_steps.hpp), and the end, which multiplies by the
    // learning rate. log_link_power: that of shorten_leaves(), if the loss has one.
    void begin_steps(std::span<const GradientView> views, std::optional<double> log_link_power,
                     bool others = false);
    void step(std::span<const GradientView> views, std::optional<double> log_link_power);
    void end_steps(double learning_rate);
    // Apply the plan's monotone constraints to leaves that were fitted without bounds.
    void order();
    // scores: one row of n_rows for each output, and one rule each.
    void fit_residual(const double* target, const double* scores,
                      std::span<const ResidualRule> rules, double constant_hessian,
                      double learning_rate);
    // Limit leaves so that they do not overshoot the minimum of a loss with a log link
    // (leaf/log_link.hpp) or, without a power, of a classification loss (leaf/class_link.hpp).
    void shorten_leaves(std::optional<double> power, double tree_weight);
    // scores, moved: one row of n_rows for each output. Writes the scores plus the trees to
    // `moved`, which may be `scores`.
    void add_to_scores(const double* scores, double* moved) const;
    // scores: one row of n_rows of the table for each output.
    void add_to_binned_scores(const BinnedMatrix& binned, double* scores) const;
    // Call visit(row, node) for the rows of the training table, or of another one with the same
    // bins: the node of the tree where the row ends.
    template <class Visit>
    void for_each_leaf(std::int64_t tree, Visit visit) const;
    template <class Visit>
    void for_each_leaf(std::int64_t tree, const BinnedMatrix& binned, Visit visit) const;

    const TreeArrays& arrays() const { return arrays_; }
    std::int64_t n_trees() const { return arrays_.n_trees(); }
    std::int64_t n_outputs() const { return n_trees() * arrays_.leaf_width; }
    std::int64_t n_rows() const { return grower_->n_rows(); }
    const Grower& grower() const { return *grower_; }

  private:
    // The leaves of one output. If a leaf has several outputs, `values` is a copy that is written
    // back, and the cover is that of the first output.
    struct OutputLeaves {
        const GrownTree& tree;
        const WeightFacts& weights;
        TreeShape shape;
        std::size_t output, begin;        // begin: number of values before, output by output
        std::span<double> values, covers; // per node
    };
    template <class Work>
    void for_each_output(Work work);

    void check_current() const;
    void check_bins(const BinnedMatrix& binned) const;
    void check_views(std::span<const GradientView> views) const;
    void take_all_rows();
    void move_rows(const BinnedMatrix& table, bool all);
    void shorten_with_linear_leaves(std::optional<double> power, double tree_weight);
    // Adds leaf values and slopes, or only slopes.
    void add_linear_scores(const double* scores, double* moved, bool with_values) const;
    void fit_first_step(std::span<const GradientView> views, double learning_rate, bool others);
    const GrownTree& tree_at(std::int64_t tree) const {
        return grower_->trees()[first_tree_ + static_cast<std::size_t>(tree)];
    }
    std::span<const RoutedNode> routes_of(std::int64_t tree) const;
    const double* values_of(std::int64_t tree) const;

    std::shared_ptr<Grower> grower_;
    std::uint64_t stamp_;
    std::size_t first_tree_; // index in the grower
    TreeArrays arrays_;
    std::vector<RoutedNode> routes_; // per node, as in arrays_
    std::vector<Bounds> known_;      // output by output, from begin_steps() to end_steps()
};

template <class Visit>
void GrownTrees::for_each_leaf(std::int64_t tree, Visit visit) const {
    check_current();
    // The rows may be in another process. Adding node numbers to scores of 0 gives the leaf of each
    // row.
    const std::int64_t n = n_rows(), n_nodes = std::ssize(routes_of(tree));
    std::vector<double> numbers(static_cast<std::size_t>(n_nodes)),
        leaves(static_cast<std::size_t>(n), 0.0);
    for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<double>(i);
    tree_at(tree).rows->add_to_scores(routes_of(tree), numbers.data(), 1, leaves.data(),
                                      leaves.data(), grower_->n_threads());
    for (std::int64_t row = 0; row < n; ++row)
        visit(row, static_cast<std::int64_t>(leaves[static_cast<std::size_t>(row)]));
}

template <class Visit>
void GrownTrees::for_each_leaf(std::int64_t tree, const BinnedMatrix& binned, Visit visit) const {
    check_bins(binned);
    const std::span<const RoutedNode> routes = routes_of(tree);
    const Router router(binned, routes);
    over_rows(binned.n_rows(), grower_->n_threads(), [&](std::int64_t begin, std::int64_t end) {
        LeafOfRow leaves;
        leaves.start(end - begin, std::ssize(routes));
        leaves.with_numbers([&](auto* numbers) {
            router.route(begin, end, numbers);
            for (std::int64_t row = begin; row < end; ++row)
                visit(row, static_cast<std::int64_t>(numbers[row - begin]));
        });
    });
}

} // namespace ceiba
