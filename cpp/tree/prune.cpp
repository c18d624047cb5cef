#include "tree/prune.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace ceiba {

namespace {

// Marks the nodes that become leaves. Children are stored after their parent, so one pass from the
// end visits every node after its descendants.
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

// Also marks nodes whose subtree gains no more than it costs.
void cut_costly(const std::vector<Node>& nodes, double cost, std::vector<char>& is_cut) {
    std::vector<double> worth(nodes.size(), 0.0);
    for (std::size_t i = nodes.size(); i-- > 0;) {
        const Node& node = nodes[i];
        if (node.is_leaf() || is_cut[i] != 0) continue;
        worth[i] = node.split.gain - cost + worth[static_cast<std::size_t>(node.left)] +
                   worth[static_cast<std::size_t>(node.right)];
        if (worth[i] > 0) continue;
        is_cut[i] = 1;
        worth[i] = 0;
    }
}

// Applies both rules to whole levels.
std::vector<char> cut_levels(const std::vector<Node>& nodes, double min_gain, double cost) {
    std::vector<double> gains, costs;
    for (const Node& node : nodes) {
        if (node.is_leaf()) continue;
        const auto level = static_cast<std::size_t>(node.depth);
        gains.resize(std::max(gains.size(), level + 1), 0.0);
        costs.resize(gains.size(), 0.0);
        gains[level] += node.split.gain;
        // A node with rows on one side only is split because its level shares the split.
        if (nodes[static_cast<std::size_t>(node.left)].n_rows > 0 &&
            nodes[static_cast<std::size_t>(node.right)].n_rows > 0)
            costs[level] += cost;
    }
    std::size_t n_levels = gains.size();
    while (n_levels > 0 && gains[n_levels - 1] < min_gain) --n_levels;
    if (cost > 0) {
        std::size_t n_kept = 0;
        double worth = 0, best = 0;
        for (std::size_t level = 0; level < n_levels; ++level) {
            worth += gains[level] - costs[level];
            if (!(worth > best)) continue;
            best = worth;
            n_kept = level + 1;
        }
        n_levels = n_kept;
    }
    std::vector<char> is_cut(nodes.size(), 0);
    for (std::size_t i = 0; i < nodes.size(); ++i)
        is_cut[i] = !nodes[i].is_leaf() && static_cast<std::size_t>(nodes[i].depth) >= n_levels;
    return is_cut;
}

} // namespace

std::vector<Home> prune(std::vector<Node>& nodes, const GrowPlan& plan, double hessian) {
    std::vector<Home> homes(nodes.size());
    for (std::size_t i = 0; i < nodes.size(); ++i)
        homes[i] = {static_cast<int>(i), nodes[i].is_leaf()};
    const double min_gain = plan.prune_after ? plan.min_split_gain : 0.0,
                 cost = plan.ccp_alpha * hessian;
    if (!(min_gain > 0) && !(cost > 0)) return homes;
    std::vector<char> is_cut;
    if (plan.grow_policy == GrowPolicy::symmetric) {
        is_cut = cut_levels(nodes, min_gain, cost);
    } else {
        is_cut = cut_splits(nodes, min_gain);
        if (cost > 0) cut_costly(nodes, cost, is_cut);
    }
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
