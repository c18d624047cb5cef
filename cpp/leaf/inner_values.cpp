#include "leaf/inner_values.hpp"

#include <algorithm>

namespace ceiba {

namespace {

// Rounded so that the result is between the two values.
double weighted_mean(double a, double weight_a, double b, double weight_b) {
    const double total = weight_a + weight_b;
    const double mean = total > 0 ? (a * weight_a + b * weight_b) / total : (a + b) / 2;
    return std::clamp(mean, std::min(a, b), std::max(a, b));
}

} // namespace

double smallest_cover(const GrowPlan& plan, double all) {
    return plan.grow_policy == GrowPolicy::symmetric ? plan.leaf_hessian(all) : 0.0;
}

bool is_too_light(const Node& node, double hessian, double smallest) {
    return node.parent >= 0 && (node.n_rows == 0 || hessian < smallest);
}

void fill_inner_values(const GrownTree& tree, double smallest, std::span<double> values,
                       std::span<double> covers) {
    auto follows = [&](std::size_t i) { return is_too_light(tree.nodes[i], covers[i], smallest); };
    const auto& nodes = tree.nodes;
    for (std::size_t i = nodes.size(); i-- > 0;) {
        if (nodes[i].is_leaf()) continue;
        const auto left = static_cast<std::size_t>(nodes[i].left),
                   right = static_cast<std::size_t>(nodes[i].right);
        covers[i] = covers[left] + covers[right];
        if (follows(right))
            values[i] = values[left];
        else if (follows(left))
            values[i] = values[right];
        else
            values[i] = weighted_mean(values[left], covers[left], values[right], covers[right]);
    }
    for (std::size_t i = 1; i < nodes.size(); ++i)
        if (follows(i)) values[i] = values[static_cast<std::size_t>(nodes[i].parent)];
}

} // namespace ceiba
