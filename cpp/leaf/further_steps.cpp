#include "leaf/further_steps.hpp"

#include "leaf/node_sums.hpp"
#include "tree/gain.hpp"

#include <cmath>

namespace ceiba {

namespace {

// Where a step from `value` to `next` ends, and what it tells.
double step_within(double value, double next, Bounds& known) {
    if (next > value) known.lower = value;
    if (next < value) known.upper = value;
    if (next > value && next >= known.upper) return value + (known.upper - value) / 2;
    if (next < value && next <= known.lower) return value - (value - known.lower) / 2;
    return next;
}

} // namespace

Bounds known_after(double value) {
    Bounds known;
    if (value > 0) known.lower = 0;
    if (value < 0) known.upper = 0;
    return known;
}

void step_leaves(const GrownTree& tree, const GradientView& view, const WeightFacts& weights,
                 const GrowPlan& plan, int n_threads, std::span<double> values,
                 std::span<Bounds> known) {
    const Extent extent = extent_of(view, weights, tree.repeats, n_threads);
    const std::vector<NodeSum> sums = sum_nodes(tree, view, weights, extent, n_threads);
    for (std::size_t i = 0; i < sums.size(); ++i) {
        const Node& node = tree.nodes[i];
        if (!node.is_leaf() || node.n_rows == 0) continue;
        const double next =
            best_constant(sums[i].gradient - sums[i].hessian * values[i], sums[i].hessian,
                          plan.reg_lambda, plan.reg_alpha, plan.step_limit());
        values[i] = step_within(values[i], next, known[i]);
        if (!plan.unit_hessians) values[i] = clip(values[i], node.bounds);
    }
}

} // namespace ceiba
