#include "leaf/residual.hpp"

#include "base/buffer.hpp"
#include "base/errors.hpp"
#include "base/settings.hpp"
#include "gradient/weighted_quantile.hpp"
#include "leaf/huber.hpp"
#include "leaf/inner_values.hpp"
#include "parallel/pool.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <utility>
#include <vector>

namespace ceiba {

namespace {

void put(double& place, double residual, std::int64_t) {
    place = residual;
}
void put(WeightedValue& place, double residual, std::int64_t weight) {
    place = {residual, weight};
}

// The residuals of each leaf, one leaf after the other; Entry is a double, or a WeightedValue.
template <class Entry>
class ResidualsOfLeaves {
  public:
    ResidualsOfLeaves(const GrownTree& tree, const double* target, const double* scores,
                      std::int64_t n_rows, const WeightUnits& weights, int n_threads)
        : begins_(tree.nodes.size() + 1, 0) {
        const std::int64_t size = settings().chunk_rows;
        const int threads = useful_threads(n_threads, n_rows);
        // Few chunks: each counts the rows of every node.
        const std::int64_t n_chunks =
            threads > 1 ? std::min<std::int64_t>(threads, (n_rows + size - 1) / size) : 1;
        const auto chunk_begin = [&](std::int64_t c) { return n_rows * c / n_chunks; };

        std::vector<std::vector<std::int64_t>> places(static_cast<std::size_t>(n_chunks));
        parallel_for(threads, n_chunks, [&](std::int64_t c) {
            auto& own = places[static_cast<std::size_t>(c)];
            own.assign(tree.nodes.size(), 0);
            for (std::int64_t i = chunk_begin(c); i < chunk_begin(c + 1); ++i) {
                const std::int32_t leaf = tree.leaf_of_row[i];
                if (leaf >= 0) ++own[static_cast<std::size_t>(leaf)];
            }
        });
        for (std::size_t node = 0; node < tree.nodes.size(); ++node) {
            std::int64_t at = begins_[node];
            for (auto& own : places) at += std::exchange(own[node], at);
            begins_[node + 1] = at;
        }
        entries_.need(static_cast<std::size_t>(std::max<std::int64_t>(1, begins_.back())));
        std::atomic<bool> finite = true;
        parallel_for(threads, n_chunks, [&](std::int64_t c) {
            auto& own = places[static_cast<std::size_t>(c)];
            bool all_finite = true;
            for (std::int64_t i = chunk_begin(c); i < chunk_begin(c + 1); ++i) {
                const std::int32_t leaf = tree.leaf_of_row[i];
                if (leaf < 0) continue;
                // Adding 0 leaves one zero: -0 and 0 are equal and so must have the same bits.
                const double residual = target[i] - scores[i] + 0.0;
                all_finite = all_finite && std::isfinite(residual);
                put(entries_[static_cast<std::size_t>(own[static_cast<std::size_t>(leaf)]++)],
                    residual, weights[i]);
            }
            if (!all_finite) finite = false;
        });
        if (!finite)
            throw InputError("the differences between target and scores must be finite. Got NaN or "
                             "an infinite value. Scale the target down.");
    }

    std::span<Entry> of(std::size_t node) {
        return {entries_.data() + begins_[node],
                static_cast<std::size_t>(begins_[node + 1] - begins_[node])};
    }

  private:
    std::vector<std::int64_t> begins_; // by node
    Buffer<Entry> entries_;
};

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
    ResidualsOfLeaves<Entry> residuals(tree, target, scores, n_rows, weights, n_threads);
    std::vector<std::size_t> leaves;
    for (std::size_t i = 0; i < tree.nodes.size(); ++i)
        if (tree.nodes[i].is_leaf()) leaves.push_back(i);
    // The largest first, so that no thread is left alone with it at the end.
    std::stable_sort(leaves.begin(), leaves.end(), [&](std::size_t a, std::size_t b) {
        return tree.nodes[a].n_rows > tree.nodes[b].n_rows;
    });
    const double limit = plan.step_limit();
    parallel_for(useful_threads(n_threads, 4 * n_rows), std::ssize(leaves), [&](std::int64_t at) {
        const std::size_t leaf = leaves[static_cast<std::size_t>(at)];
        const std::span<Entry> own = residuals.of(leaf);
        values[leaf] = covers[leaf] = 0;
        if (own.empty()) return;
        covers[leaf] = weight_of_leaf(own) * weights.unit() * constant_hessian;
        values[leaf] = std::clamp(value_of_leaf(own, rule), -limit, limit) * learning_rate;
    });
    fill_inner_values(tree, 0.0, values, covers);
}

} // namespace

void fit_residual_leaves(const GrownTree& tree, const double* target, const double* scores,
                         std::int64_t n_rows, const ResidualRule& rule, double constant_hessian,
                         const WeightFacts& weights, const GrowPlan& plan, double learning_rate,
                         int n_threads, std::span<double> values, std::span<double> covers) {
    const WeightUnits units(weights, n_rows);
    const bool plain = units.all_one() && rule.kind == ResidualRule::Kind::quantile;
    (plain ? fit<double> : fit<WeightedValue>)(tree, target, scores, n_rows, rule, constant_hessian,
                                               units, plan, learning_rate, n_threads, values,
                                               covers);
}

} // namespace ceiba
