#include "tree/later_missing.hpp"

#include "tree/node_sums.hpp"

#include <cstddef>
#include <vector>

namespace ceiba {

namespace {

std::vector<double> weights_of_nodes(const GrownTree& tree, const GradientView& view,
                                     const WeightFacts& weights, int n_threads) {
    std::vector<double> out(tree.nodes.size());
    if (weights.weights != nullptr && !weights.counted) {
        GradientView plain = view; // its hessians are the weights
        plain.hessians = nullptr;
        plain.constant_hessian = 1;
        Extent extent = tree.extent;
        extent.hessian = weights.largest;
        const std::vector<NodeSum> sums = sum_nodes(tree, plain, weights, extent, n_threads);
        for (std::size_t i = 0; i < out.size(); ++i) out[i] = sums[i].hessian;
        return out;
    }
    for (std::size_t i = 0; i < out.size(); ++i)
        out[i] = static_cast<double>(tree.nodes[i].sums.count);
    return out;
}

} // namespace

void direct_later_missing(GrownTree& tree, const BinMapper& mapper, const GradientView& view,
                          const WeightFacts& weights, const GrowPlan& plan, int n_threads) {
    const bool symmetric = plan.grow_policy == GrowPolicy::symmetric,
               sets_right = plan.category.missing == MissingLevel::right;
    const std::vector<double> heavy = weights_of_nodes(tree, view, weights, n_threads);
    struct Weight {
        double left = 0, all = 0;
    };
    // One decision per level if its nodes share a split, otherwise per node.
    std::vector<Weight> found;
    auto place = [&](std::size_t i) {
        return symmetric ? static_cast<std::size_t>(tree.nodes[i].depth) : i;
    };
    for (std::size_t i = 0; i < tree.nodes.size(); ++i) {
        const Node& node = tree.nodes[i];
        if (node.is_leaf()) continue;
        if (found.size() <= place(i)) found.resize(place(i) + 1);
        found[place(i)].left += heavy[static_cast<std::size_t>(node.left)];
        found[place(i)].all += heavy[i];
    }
    for (std::size_t i = 0; i < tree.nodes.size(); ++i) {
        Node& node = tree.nodes[i];
        if (node.is_leaf() || mapper.has_missing(node.split.decision.feature)) continue;
        if (sets_right && node.split.decision.set) continue;
        node.split.decision.missing_left = 2 * found[place(i)].left >= found[place(i)].all;
    }
}

} // namespace ceiba
