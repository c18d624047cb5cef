#include "leaf/constant.hpp"

#include "leaf/inner_values.hpp"
#include "split/gain.hpp"
#include "tree/node_sums.hpp"

namespace ceiba {

void fit_constant_leaves(const GrownTree& tree, const GradientView& view, Extent extent,
                         const WeightFacts& weights, const GrowPlan& plan, double learning_rate,
                         int n_threads, std::span<double> values, std::span<double> covers) {
    // Trees that were grown on gradients alone do not know the extent of the hessians.
    if (plan.unit_hessians && sums_hessians(view, weights))
        extent.hessian = extent_of_rows(tree, view, weights, n_threads).hessian;
    const std::vector<NodeSum> sums = sum_nodes(tree, view, weights, extent, n_threads);
    const double smallest = smallest_cover(plan, sums[0].hessian);
    for (std::size_t i = 0; i < sums.size(); ++i) {
        covers[i] = sums[i].hessian;
        const Node& node = tree.nodes[i];
        values[i] =
            is_too_light(node, sums[i].hessian, smallest)
                ? values[static_cast<std::size_t>(node.parent)]
                : best_constant(sums[i].gradient, sums[i].hessian, plan.reg_lambda + node.extra_l2,
                                plan.reg_alpha, plan.step_limit());
        // Bounds of trees that were grown without hessians are not in units of leaf values.
        if (!plan.unit_hessians) values[i] = clip(values[i], node.bounds);
    }
    for (double& value : values) value *= learning_rate;
}

} // namespace ceiba
