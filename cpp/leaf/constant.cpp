#include "leaf/constant.hpp"

#include "base/errors.hpp"
#include "base/settings.hpp"
#include "parallel/pool.hpp"
#include "tree/gain.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

namespace ceiba {

namespace {

// Fixed-point sums of one quantity per node.
struct Scale {
    double scale = 1, unit = 1;

    Scale(double largest, double repeats) {
        if (!(largest > 0)) return;
        const int exponent =
            std::clamp(62 - exponent_above(repeats) - exponent_above(largest), -1000, 1000);
        scale = power_of_two(exponent);
        unit = power_of_two(-exponent);
    }
};

struct NodeSums {
    std::int64_t gradient = 0, hessian = 0, times = 0;
};

template <class Row>
void for_rows(const GrownTree& tree, std::int64_t begin, std::int64_t end, Row row) {
    for (std::int64_t i = begin; i < end; ++i) {
        const std::int32_t leaf = tree.leaf_of_row[i];
        if (leaf >= 0) row(i, leaf);
    }
}

// The largest hessian of the selected rows, times its weight.
double largest_of(const GrownTree& tree, const GradientView& view, const double* weights,
                  std::int64_t n_chunks, int threads) {
    std::vector<double> parts(static_cast<std::size_t>(n_chunks), 0.0);
    parallel_for(threads, n_chunks, [&](std::int64_t c) {
        double& largest = parts[static_cast<std::size_t>(c)];
        for_rows(tree, view.n_rows * c / n_chunks, view.n_rows * (c + 1) / n_chunks,
                 [&](std::int64_t i, std::int32_t) {
                     const double h =
                         view.hessians != nullptr ? view.hessians[i] : view.constant_hessian;
                     if (!(h >= 0) || !std::isfinite(h))
                         throw InputError("hessians must be finite and not negative. Got " +
                                          std::to_string(h) + " from the objective.");
                     largest = std::max(largest, weights == nullptr ? h : h * weights[i]);
                 });
    });
    return *std::max_element(parts.begin(), parts.end());
}

} // namespace

void fit_constant_leaves(const GrownTree& tree, const GradientView& view,
                         const WeightFacts& weights, const GrowPlan& plan, double learning_rate,
                         int n_threads, std::span<double> values, std::span<double> covers) {
    const std::size_t n_nodes = tree.nodes.size();
    const std::int64_t n = view.n_rows, size = settings().chunk_rows;
    // Few chunks: each keeps sums for every node.
    const int threads = useful_threads(n_threads, n);
    const std::int64_t n_chunks =
        threads > 1 ? std::min<std::int64_t>(threads, (n + size - 1) / size) : 1;
    const bool before = weights.multiply_before(), after = weights.multiply_after();
    auto chunk_of = [&](std::int64_t c) {
        return std::pair{n * c / n_chunks, n * (c + 1) / n_chunks};
    };
    auto weight_of = [&](std::int64_t i) {
        return weights.weights == nullptr ? 1.0 : weights.weights[i];
    };

    const bool sum_hessians = view.hessians != nullptr || before;
    // Trees that were grown on gradients alone do not know the extent of the hessians.
    const double largest_hessian =
        plan.unit_hessians && sum_hessians
            ? largest_of(tree, view, before ? weights.weights : nullptr, n_chunks, threads)
            : tree.extent.hessian;
    const Scale gradient(tree.extent.gradient, tree.repeats),
        hessian(largest_hessian, tree.repeats);

    std::vector<std::vector<NodeSums>> parts(static_cast<std::size_t>(n_chunks));
    parallel_for(threads, n_chunks, [&](std::int64_t c) {
        auto& sums = parts[static_cast<std::size_t>(c)];
        sums.resize(n_nodes);
        const auto [begin, end] = chunk_of(c);
        for_rows(tree, begin, end, [&](std::int64_t i, std::int32_t leaf) {
            const double factor = before ? weight_of(i) : 1.0;
            const std::int64_t times = after ? static_cast<std::int64_t>(weight_of(i)) : 1;
            NodeSums& own = sums[static_cast<std::size_t>(leaf)];
            own.gradient += std::llrint(view.gradients[i] * factor * gradient.scale) * times;
            own.times += times;
            if (!sum_hessians) return;
            const double h = view.hessians != nullptr ? view.hessians[i] : view.constant_hessian;
            own.hessian += std::llrint(h * factor * hessian.scale) * times;
        });
    });
    std::vector<NodeSums> sums = std::move(parts[0]);
    for (std::size_t c = 1; c < parts.size(); ++c) {
        for (std::size_t i = 0; i < n_nodes; ++i) {
            sums[i].gradient += parts[c][i].gradient;
            sums[i].hessian += parts[c][i].hessian;
            sums[i].times += parts[c][i].times;
        }
    }
    // Children come after their parent.
    for (std::size_t i = n_nodes; i-- > 1;) {
        NodeSums& parent = sums[static_cast<std::size_t>(tree.nodes[i].parent)];
        parent.gradient += sums[i].gradient;
        parent.hessian += sums[i].hessian;
        parent.times += sums[i].times;
    }
    for (std::size_t i = 0; i < n_nodes; ++i) {
        const double g = static_cast<double>(sums[i].gradient) * gradient.unit;
        const double h = sum_hessians ? static_cast<double>(sums[i].hessian) * hessian.unit
                                      : static_cast<double>(sums[i].times) * view.constant_hessian;
        covers[i] = h;
        const Node& node = tree.nodes[i];
        values[i] = node.n_rows == 0 && node.parent >= 0
                        ? values[static_cast<std::size_t>(node.parent)]
                        : best_constant(g, h, plan.reg_lambda, plan.reg_alpha, plan.step_limit());
        // Bounds of trees that were grown without hessians are no leaf values.
        if (!plan.unit_hessians) values[i] = clip(values[i], node.bounds);
    }
    for (double& value : values) value *= learning_rate;
}

} // namespace ceiba
