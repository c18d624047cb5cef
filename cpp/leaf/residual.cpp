#include "leaf/residual.hpp"

#include "gradient/weighted_quantile.hpp"
#include "leaf/huber.hpp"
#include "leaf/inner_values.hpp"
#include "parallel/pool.hpp"

#include <algorithm>
#include <type_traits>
#include <vector>

namespace ceiba {

namespace {

std::span<double> of_leaf(LeafResiduals& residuals, std::size_t leaf, double) {
    return {residuals.plain.data() + residuals.begins[leaf],
            static_cast<std::size_t>(residuals.begins[leaf + 1] - residuals.begins[leaf])};
}
std::span<WeightedValue> of_leaf(LeafResiduals& residuals, std::size_t leaf, WeightedValue) {
    return {residuals.weighted.data() + residuals.begins[leaf],
            static_cast<std::size_t>(residuals.begins[leaf + 1] - residuals.begins[leaf])};
}

double value_of_leaf(std::span<double> residuals, const ResidualRule& rule) {
    return select_quantile(residuals.data(), std::ssize(residuals), rule.option);
}

double value_of_leaf(std::span<WeightedValue> residuals, const ResidualRule& rule) {
    if (rule.kind == ResidualRule::Kind::huber) return huber_minimum(residuals, rule.option);
    if (rule.kind == ResidualRule::Kind::huber_friedman) return huber_step(residuals, rule.option);
    std::int64_t total = 0;
    for (const WeightedValue& entry : residuals) total += entry.weight;
    return select_quantile(residuals.data(), std::ssize(residuals), total, rule.option);
}

double weight_of_leaf(std::span<const double> residuals) {
    return static_cast<double>(residuals.size());
}

double weight_of_leaf(std::span<const WeightedValue> residuals) {
    std::int64_t total = 0;
    for (const WeightedValue& entry : residuals) total += entry.weight;
    return static_cast<double>(total);
}

template <class Entry>
void fit(const GrownTree& tree, const double* target, const double* scores, std::int64_t n_rows,
         const ResidualRule& rule, double constant_hessian, const WeightUnits& weights,
         const GrowPlan& plan, double learning_rate, int n_threads, std::span<double> values,
         std::span<double> covers) {
    LeafResiduals residuals;
    tree.rows->residuals(target, scores, weights, std::is_same_v<Entry, double>, n_threads,
                         residuals);
    std::vector<std::size_t> leaves;
    for (std::size_t i = 0; i < tree.nodes.size(); ++i)
        if (tree.nodes[i].is_leaf()) leaves.push_back(i);
    // The largest leaves first, so that no thread ends with a long task.
    std::stable_sort(leaves.begin(), leaves.end(), [&](std::size_t a, std::size_t b) {
        return tree.nodes[a].n_rows > tree.nodes[b].n_rows;
    });
    const double limit = plan.step_limit();
    parallel_for(useful_threads(n_threads, 4 * n_rows), std::ssize(leaves), [&](std::int64_t at) {
        const std::size_t leaf = leaves[static_cast<std::size_t>(at)];
        const std::span<Entry> own = of_leaf(residuals, leaf, Entry{});
        values[leaf] = covers[leaf] = 0;
        if (own.empty()) return;
        covers[leaf] = weight_of_leaf(own) * weights.unit() * constant_hessian;
        values[leaf] = std::clamp(value_of_leaf(own, rule), -limit, limit) * learning_rate;
    });
    fill_inner_values(tree, 0.0, values, covers);
}

} // namespace

void fit_residual_leaves(const GrownTree& tree, const double* target, const double* scores,
                         std::int64_t n_rows, std::size_t output, const ResidualRule& rule,
                         double constant_hessian, const WeightFacts& weights, const GrowPlan& plan,
                         double learning_rate, int n_threads, std::span<double> values,
                         std::span<double> covers) {
    if (const auto remote = tree.rows->remote_statistics(rule, output, weights)) {
        const double limit = plan.step_limit();
        for (std::size_t i = 0; i < tree.nodes.size(); ++i) {
            covers[i] = remote->weights[i] * constant_hessian;
            values[i] = std::clamp(remote->values[i], -limit, limit) * learning_rate;
        }
        fill_inner_values(tree, 0.0, values, covers);
        return;
    }
    const WeightUnits units(weights, n_rows);
    const bool plain = units.all_one() && rule.kind == ResidualRule::Kind::quantile;
    (plain ? fit<double> : fit<WeightedValue>)(tree, target, scores, n_rows, rule, constant_hessian,
                                               units, plan, learning_rate, n_threads, values,
                                               covers);
}

} // namespace ceiba
