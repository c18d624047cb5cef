#include "leaf/grown_trees.hpp"

#include "base/errors.hpp"
#include "leaf/inner_values.hpp"
#include "leaf/log_link.hpp"
#include "parallel/rows.hpp"

#include <limits>

namespace ceiba {

namespace {

double threshold_of(const Grower& grower, const Split& split) {
    if (grower.ranked() != nullptr) return split.threshold;
    const auto edges = grower.mapper().edges(split.decision.feature);
    // Behind the last edge lies every value: missing against present.
    return split.decision.last < edges.size() ? edges[split.decision.last]
                                              : std::numeric_limits<double>::infinity();
}

} // namespace

GrownTrees::GrownTrees(std::shared_ptr<Grower> grower, std::int64_t copies)
    : grower_(std::move(grower)), stamp_(grower_->n_grown()), copies_(copies) {
    const std::size_t n_trees = grower_->trees().size() * static_cast<std::size_t>(copies_);
    arrays_.tree_offsets.push_back(0);
    for (std::size_t t = 0; t < n_trees; ++t) {
        for (const Node& node : grown_tree(t).nodes) {
            const bool leaf = node.is_leaf();
            const Decision decision = leaf ? Decision{} : node.split.decision;
            arrays_.feature.push_back(decision.feature);
            arrays_.threshold.push_back(leaf ? 0 : threshold_of(*grower_, node.split));
            arrays_.left.push_back(node.left);
            arrays_.right.push_back(node.right);
            arrays_.missing_left.push_back(decision.missing_left ? 1 : 0);
            arrays_.gain.push_back(leaf ? 0 : node.split.gain);
            arrays_.count.push_back(static_cast<double>(node.sums.count));
            routes_.push_back({decision, node.left, node.right});
        }
        arrays_.tree_offsets.push_back(static_cast<std::int64_t>(arrays_.feature.size()));
    }
    arrays_.value.assign(arrays_.feature.size(), 0.0);
    arrays_.cover.assign(arrays_.feature.size(), 0.0);
}

void GrownTrees::check_current() const {
    if (stamp_ != grower_->n_grown())
        throw InputError("these trees no longer know the rows they were grown from. Their grower "
                         "has grown others since. "
                         "Fit leaves and add to the training scores before the next call of grow.");
}

void GrownTrees::check_views(std::span<const GradientView> views) const {
    check_current();
    if (static_cast<std::int64_t>(views.size()) != n_trees())
        throw InputError("there must be gradients for each tree.");
}

void GrownTrees::fit_first_step(std::span<const GradientView> views, double learning_rate) {
    check_views(views);
    for (std::size_t t = 0; t < views.size(); ++t) {
        const auto begin = static_cast<std::size_t>(arrays_.tree_offsets[t]),
                   n = static_cast<std::size_t>(arrays_.tree_offsets[t + 1]) - begin;
        fit_constant_leaves(grown_tree(t), views[t], grower_->weights(), grower_->plan(),
                            learning_rate, grower_->n_threads(),
                            std::span(arrays_.value).subspan(begin, n),
                            std::span(arrays_.cover).subspan(begin, n));
    }
}

void GrownTrees::fit_constant(std::span<const GradientView> views, double learning_rate) {
    fit_first_step(views, learning_rate);
    order(); // leaves that the bounds of their nodes have clipped are in order
}

void GrownTrees::begin_steps(std::span<const GradientView> views,
                             std::optional<double> log_link_power) {
    fit_first_step(views, 1.0);
    // Or the exponential of the next step may overflow.
    if (log_link_power) shorten_log_link_leaves(arrays_.value, *log_link_power, 1.0);
    known_.clear();
    for (const double value : arrays_.value) known_.push_back(known_after(value));
}

void GrownTrees::step(std::span<const GradientView> views, std::optional<double> log_link_power) {
    check_views(views);
    if (known_.empty()) throw InputError("steps of leaves must begin with begin_steps.");
    for (std::size_t t = 0; t < views.size(); ++t) {
        const auto begin = static_cast<std::size_t>(arrays_.tree_offsets[t]),
                   n = static_cast<std::size_t>(arrays_.tree_offsets[t + 1]) - begin;
        step_leaves(grown_tree(t), views[t], grower_->weights(), grower_->plan(), log_link_power,
                    grower_->n_threads(), std::span(arrays_.value).subspan(begin, n),
                    std::span(known_).subspan(begin, n));
    }
}

void GrownTrees::end_steps(double learning_rate) {
    check_current();
    for (std::size_t t = 0; t + 1 < arrays_.tree_offsets.size(); ++t) {
        const auto begin = static_cast<std::size_t>(arrays_.tree_offsets[t]),
                   n = static_cast<std::size_t>(arrays_.tree_offsets[t + 1]) - begin;
        const double smallest = smallest_cover(grower_->plan(), arrays_.cover[begin]);
        fill_inner_values(grown_tree(t), smallest, std::span(arrays_.value).subspan(begin, n),
                          std::span(arrays_.cover).subspan(begin, n));
    }
    for (double& value : arrays_.value) value *= learning_rate;
    order();
    known_ = {};
}

void GrownTrees::order() {
    if (!grower_->plan().is_monotone()) return;
    for (std::size_t t = 0; t + 1 < arrays_.tree_offsets.size(); ++t) {
        const auto begin = static_cast<std::size_t>(arrays_.tree_offsets[t]),
                   n = static_cast<std::size_t>(arrays_.tree_offsets[t + 1]) - begin;
        order_leaves(shape_of(arrays_, begin, n), grower_->plan().columns.monotone,
                     std::span(arrays_.value).subspan(begin, n));
    }
}

void GrownTrees::fit_residual(const double* target, const double* scores,
                              std::span<const ResidualRule> rules, double constant_hessian,
                              double learning_rate) {
    check_current();
    if (static_cast<std::int64_t>(rules.size()) != n_trees())
        throw InputError("there must be a rule for each tree.");
    for (std::size_t t = 0; t < rules.size(); ++t) {
        const auto begin = static_cast<std::size_t>(arrays_.tree_offsets[t]),
                   n = static_cast<std::size_t>(arrays_.tree_offsets[t + 1]) - begin;
        fit_residual_leaves(grown_tree(t), target, scores + static_cast<std::int64_t>(t) * n_rows(),
                            n_rows(), rules[t], constant_hessian, grower_->weights(),
                            grower_->plan(), learning_rate, grower_->n_threads(),
                            std::span(arrays_.value).subspan(begin, n),
                            std::span(arrays_.cover).subspan(begin, n));
    }
    order();
}

void GrownTrees::shorten_leaves(double power, double tree_weight) {
    shorten_log_link_leaves(arrays_.value, power, tree_weight);
    order(); // which a rounded logarithm may break in the last bit
}

void GrownTrees::add_to_scores(const double* scores, double* moved) const {
    check_current();
    const std::int64_t n = n_rows();
    for (std::int64_t t = 0; t < n_trees(); ++t) {
        const auto first =
            static_cast<std::size_t>(arrays_.tree_offsets[static_cast<std::size_t>(t)]);
        const auto n_nodes =
            static_cast<std::size_t>(arrays_.tree_offsets[static_cast<std::size_t>(t) + 1]) - first;
        const double* values = arrays_.value.data() + first;
        const std::span<const RoutedNode> routes = std::span(routes_).subspan(first, n_nodes);
        grown_tree(static_cast<std::size_t>(t))
            .rows->add_to_scores(routes, values, 1, scores + t * n, moved + t * n,
                                 grower_->n_threads());
    }
}

void GrownTrees::add_to_binned_scores(const BinnedMatrix& binned, double* scores,
                                      int n_threads) const {
    if (grower_->ranked() != nullptr)
        throw InputError("exact thresholds lie between the edges of bins. Make a Forest of the "
                         "trees and give it the values themselves.");
    if (binned.n_features() != grower_->mapper().n_features())
        throw InputError(
            "the table must have the " + std::to_string(grower_->mapper().n_features()) +
            " columns of the training table. Got " + std::to_string(binned.n_features()) + ".");
    const std::int64_t n = binned.n_rows();
    for (std::int64_t t = 0; t < n_trees(); ++t) {
        const auto first =
            static_cast<std::size_t>(arrays_.tree_offsets[static_cast<std::size_t>(t)]);
        const auto n_nodes =
            static_cast<std::size_t>(arrays_.tree_offsets[static_cast<std::size_t>(t) + 1]) - first;
        const std::span<const RoutedNode> routes = std::span(routes_).subspan(first, n_nodes);
        const double* values = arrays_.value.data() + first;
        double* own = scores + t * n;
        over_rows(n, n_threads, [&](std::int64_t begin, std::int64_t end) {
            for (std::int64_t i = begin; i < end; ++i) own[i] += values[route(binned, routes, i)];
        });
    }
}

} // namespace ceiba
