#include "leaf/further_steps.hpp"

#include "leaf/inner_values.hpp"
#include "leaf/log_link.hpp"
#include "split/gain.hpp"
#include "tree/node_sums.hpp"

#include <algorithm>
#include <cmath>

namespace ceiba {

namespace {

// The end of a step from `value` to `next`; updates the bounds of the minimum.
double step_within(double value, double next, Bounds& known) {
    if (next > value) known.lower = std::max(known.lower, value);
    if (next < value) known.upper = std::min(known.upper, value);
    if (next > value && next >= known.upper) return value + (known.upper - value) / 2;
    if (next < value && next <= known.lower) return value - (value - known.lower) / 2;
    return next;
}

// The full Newton step: to the minimum of the penalized quadratic or, if each step has its own
// penalty, of the quadratic around `value`.
double next_value(double value, const NodeSum& sum, double lambda, const GrowPlan& plan) {
    const double limit = plan.step_limit();
    if (!plan.penalize_steps)
        return best_constant(sum.gradient - sum.hessian * value, sum.hessian, lambda,
                             plan.reg_alpha, limit);
    const double next =
        value + best_constant(sum.gradient, sum.hessian, lambda, plan.reg_alpha, limit);
    return next > limit ? limit : next < -limit ? -limit : next;
}

// Limit a step towards the minimum without penalties so that it does not overshoot it.
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

double first_step(const NodeSum& sum, double lambda, const GrowPlan& plan,
                  std::optional<double> log_link_power) {
    double value =
        best_constant(sum.gradient, sum.hessian, lambda, plan.reg_alpha, plan.step_limit());
    if (log_link_power) shorten_log_link_leaves({&value, 1}, *log_link_power, 1.0);
    return value;
}

double further_step(double value, const NodeSum& sum, double lambda, const GrowPlan& plan,
                    std::optional<double> log_link_power, Bounds& known) {
    if (!(sum.hessian + lambda > 0)) return value;
    double next = next_value(value, sum, lambda, plan);
    if (log_link_power) next = not_past_minimum(value, next, sum, *log_link_power);
    return plan.backtrack ? step_within(value, next, known) : next;
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
        // Without curvature or penalty the sums contain no information.
        if (!node.is_leaf() || is_too_light(node, sums[i].hessian, smallest) ||
            !(sums[i].hessian + lambda > 0))
            continue;
        values[i] = further_step(values[i], sums[i], lambda, plan, log_link_power, known[i]);
        if (!plan.unit_hessians) values[i] = clip(values[i], node.bounds);
    }
}

} // namespace ceiba
