#include "leaf/further_steps.hpp"

#include "leaf/inner_values.hpp"
#include "leaf/log_link.hpp"
#include "split/gain.hpp"
#include "tree/node_sums.hpp"

#include <algorithm>
#include <cmath>

namespace ceiba {

namespace {

// Where a step from `value` to `next` ends, and what it tells.
double step_within(double value, double next, Bounds& known) {
    if (next > value) known.lower = std::max(known.lower, value);
    if (next < value) known.upper = std::min(known.upper, value);
    if (next > value && next >= known.upper) return value + (known.upper - value) / 2;
    if (next < value && next <= known.lower) return value - (value - known.lower) / 2;
    return next;
}

// Where Newton's step leads: to the minimum of the penalised quadratic or, where the penalty is one
// of the step, by that of the quadratic around here.
double next_value(double value, const NodeSum& sum, double lambda, const GrowPlan& plan) {
    const double limit = plan.step_limit();
    if (!plan.penalize_steps)
        return best_constant(sum.gradient - sum.hessian * value, sum.hessian, lambda,
                             plan.reg_alpha, limit);
    const double next =
        value + best_constant(sum.gradient, sum.hessian, lambda, plan.reg_alpha, limit);
    return next > limit ? limit : next < -limit ? -limit : next;
}

// A step that goes towards the minimum without penalties does not go past it.
double not_past_minimum(double value, double next, const NodeSum& sum, double power) {
    if (!(sum.hessian > 0)) return next;
    const double most = log_link_minimum(-sum.gradient / sum.hessian, power), move = next - value;
    const bool same_side = (move > 0) == (most > 0);
    return same_side && std::fabs(most) < std::fabs(move) ? value + most : next;
}

} // namespace

Bounds known_after(double value) {
    Bounds known;
    if (value > 0) known.lower = 0;
    if (value < 0) known.upper = 0;
    return known;
}

void step_leaves(const GrownTree& tree, const GradientView& view, const WeightFacts& weights,
                 const GrowPlan& plan, std::optional<double> log_link_power, int n_threads,
                 std::span<double> values, std::span<Bounds> known) {
    const Extent extent = extent_of_rows(tree, view, weights, n_threads);
    const std::vector<NodeSum> sums = sum_nodes(tree, view, weights, extent, n_threads);
    const double smallest = smallest_cover(plan, sums[0].hessian);
    for (std::size_t i = 0; i < sums.size(); ++i) {
        const Node& node = tree.nodes[i];
        const double lambda = plan.reg_lambda + node.extra_l2;
        // Without curvature or penalty there is nothing to be told.
        if (!node.is_leaf() || is_too_light(node, sums[i].hessian, smallest) ||
            !(sums[i].hessian + lambda > 0))
            continue;
        double next = next_value(values[i], sums[i], lambda, plan);
        if (log_link_power) next = not_past_minimum(values[i], next, sums[i], *log_link_power);
        values[i] = plan.backtrack ? step_within(values[i], next, known[i]) : next;
        if (!plan.unit_hessians) values[i] = clip(values[i], node.bounds);
    }
}

} // namespace ceiba
