// What a split makes of a node: two children, and rows that have moved to them.
#include "tree/tree_grower.hpp"

#include <utility>
#include <vector>

namespace ceiba {

// Two nodes for the rows of a node that has a split.
void TreeGrower::make_children(int number) {
    const auto first = static_cast<int>(nodes_->size());
    nodes_->resize(nodes_->size() + 2);
    Node& node = node_at(number);
    node.left = first;
    node.right = first + 1;
    if (linear_) hand_down(number);
    const ChildBounds bounds =
        plan_.is_monotone() ? bounds_below(number) : ChildBounds{node.bounds, node.bounds};
    for (const int child_number : {node.left, node.right}) {
        Node& child = node_at(child_number);
        child.parent = number;
        child.depth = node.depth + 1;
        child.sums = child_number == node.left ? node.split.left : node.sums - node.split.left;
        for (std::size_t k = 0; k < node.more_sums.size(); ++k)
            child.more_sums.push_back(child_number == node.left
                                          ? node.split.more_left[k]
                                          : node.more_sums[k] - node.split.more_left[k]);
        child.bounds = child_number == node.left ? bounds.left : bounds.right;
        child.score = score_of(child);
        child.extra_l2 = node.split.child_l2;
    }
    node_at(node.left).hopeless = node.hopeless;
    node_at(node.right).hopeless = std::move(node.hopeless);
}

void TreeGrower::split_nodes(std::span<const int> batch) {
    if (exact_) settle_thresholds(batch);
    std::vector<SplitOrder> orders;
    orders.reserve(batch.size());
    for (const int number : batch) {
        Split& split = node_at(number).split;
        const Decision decision = split.decision; // of the codes that the shards know
        // Codes of approx are those of this tree alone: after it, a decision speaks of ranks.
        if (approx_) approx_->settle(split);
        make_children(number);
        const Node& node = node_at(number);
        orders.push_back({number, node.left, node.right, decision, 0, 0});
    }
    exchange_->apply(orders, n_threads_);
    for (const SplitOrder& order : orders) {
        node_at(order.left).n_rows = order.n_left;
        node_at(order.right).n_rows = order.n_right;
    }
}

} // namespace ceiba
