#include "tree/prune.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace ceiba {

namespace {

// Marks the nodes that become leaves. Children come after their parent, so one pass from the end
// sees every node after all below it.
std::vector<char> cut_splits(const std::vector<Node>& nodes, double min_gain) {
    std::vector<char> is_cut(nodes.size(), 0);
    auto is_leaf = [&](int number) {
        const auto i = static_cast<std::size_t>(number);
        return nodes[i].is_leaf() || is_cut[i] != 0;
    };
    for (std::size_t i = nodes.size(); i-- > 0;) {
        const Node& node = nodes[i];
        is_cut[i] = !node.is_leaf() && is_leaf(node.left) && is_leaf(node.right) &&
                    node.split.gain < min_gain;
    }
    return is_cut;
}

// The same for whole levels.
std::vector<char> cut_levels(const std::vector<Node>& nodes, double min_gain) {
    std::vector<double> gains;
    for (const Node& node : nodes) {
        if (node.is_leaf()) continue;
        gains.resize(std::max(gains.size(), static_cast<std::size_t>(node.depth) + 1), 0.0);
        gains[static_cast<std::size_t>(node.depth)] += node.split.gain;
    }
    std::size_t n_levels = gains.size();
    while (n_levels > 0 && gains[n_levels - 1] < min_gain) --n_levels;
    std::vector<char> is_cut(nodes.size(), 0);
    for (std::size_t i = 0; i < nodes.size(); ++i)
        is_cut[i] = !nodes[i].is_leaf() && static_cast<std::size_t>(nodes[i].depth) >= n_levels;
    return is_cut;
}

} // namespace

std::vector<Home> prune(std::vector<Node>& nodes, const GrowPlan& plan) {
    std::vector<Home> homes(nodes.size());
    for (std::size_t i = 0; i < nodes.size(); ++i)
        homes[i] = {static_cast<int>(i), nodes[i].is_leaf()};
    if (!plan.prune_after || !(plan.min_split_gain > 0)) return homes;
    const std::vector<char> is_cut = plan.grow_policy == GrowPolicy::symmetric
                                         ? cut_levels(nodes, plan.min_split_gain)
                                         : cut_splits(nodes, plan.min_split_gain);
    std::vector<Node> kept;
    std::vector<char> is_inside(nodes.size(), 0); // below a node that became a leaf
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        const int parent = nodes[i].parent;
        const auto above = static_cast<std::size_t>(parent < 0 ? 0 : parent);
        is_inside[i] = parent >= 0 && (is_inside[above] != 0 || is_cut[above] != 0);
        if (is_inside[i] != 0) {
            homes[i].node = homes[above].node;
            continue;
        }
        homes[i].node = static_cast<int>(kept.size());
        Node node = nodes[i];
        if (is_cut[i] != 0) {
            node.left = node.right = -1;
            node.split = {};
        }
        if (parent >= 0) node.parent = homes[above].node;
        kept.push_back(node);
    }
    for (Node& node : kept) {
        if (node.is_leaf()) continue;
        node.left = homes[static_cast<std::size_t>(node.left)].node;
        node.right = homes[static_cast<std::size_t>(node.right)].node;
    }
    nodes = std::move(kept);
    return homes;
}

} // namespace ceiba
