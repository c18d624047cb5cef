#include "tree/node_sums.hpp"

#include "parallel/rows.hpp"

#include <algorithm>
#include <cmath>

namespace ceiba {

namespace {

// The power of two that lets `repeats` values up to `largest` just fit.
int exponent_for(double largest, double repeats) {
    if (!(largest > 0)) return 0;
    return std::clamp(62 - exponent_above(repeats) - exponent_above(largest), -1000, 1000);
}

} // namespace

Extent extent_of_rows(const GrownTree& tree, const GradientView& view, const WeightFacts& weights,
                      int n_threads) {
    const Extent extent = tree.rows->measure(view, weights, n_threads);
    check_extent(extent, tree.repeats);
    return extent;
}

namespace {

std::vector<NodeSum> sum_once(const GrownTree& tree, const GradientView& view,
                              const WeightFacts& weights, const Extent& extent, int n_threads,
                              double unit = 0, bool remainder = false) {
    const int gradient = exponent_for(extent.gradient, tree.repeats),
              hessian = exponent_for(extent.hessian, tree.repeats);
    const LeafSumOrder order{power_of_two(gradient), power_of_two(hessian),
                             sums_hessians(view, weights), unit, remainder};
    std::vector<Sums> sums = tree.rows->sum_leaves(view, weights, order, n_threads);
    // Children are stored after their parent.
    for (std::size_t i = sums.size(); i-- > 1;)
        sums[static_cast<std::size_t>(tree.nodes[i].parent)] += sums[i];

    const double gradient_unit = power_of_two(-gradient), hessian_unit = power_of_two(-hessian);
    std::vector<NodeSum> out;
    out.reserve(sums.size());
    for (const Sums& own : sums)
        out.push_back({static_cast<double>(own.gradient) * gradient_unit,
                       order.hessians ? static_cast<double>(own.hessian) * hessian_unit
                                      : static_cast<double>(own.count) * view.constant_hessian});
    return out;
}

} // namespace

std::vector<NodeSum> sum_nodes(const GrownTree& tree, const GradientView& view,
                               const WeightFacts& weights, const Extent& extent, int n_threads) {
    if (!tree.own_units || weights.multiply_before() || !(extent.gradient > 0))
        return sum_once(tree, view, weights, extent, n_threads);
    // Small gradients beside large ones: sum the multiples of the unit and the remainders. Both
    // sums are exact.
    const double unit = power_of_two(-exponent_for(extent.gradient, tree.repeats));
    std::vector<NodeSum> sums = sum_once(tree, view, weights, extent, n_threads, unit, false);
    Extent small = extent;
    small.gradient = unit;
    const std::vector<NodeSum> more = sum_once(tree, view, weights, small, n_threads, unit, true);
    for (std::size_t i = 0; i < sums.size(); ++i) sums[i].gradient += more[i].gradient;
    return sums;
}

} // namespace ceiba
