#include "tree/growing_tree.hpp"

#include "base/hash.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace ceiba {

namespace {

// Whether both sides of the split can hold values, given the ancestors' splits of the same column.
bool divides_values(const std::vector<Node>& nodes, int number) {
    const Decision& own = nodes[static_cast<std::size_t>(number)].split.decision;
    for (int child = number, above = nodes[static_cast<std::size_t>(child)].parent; above >= 0;
         child = above, above = nodes[static_cast<std::size_t>(above)].parent) {
        const Node& ancestor = nodes[static_cast<std::size_t>(above)];
        const Decision& other = ancestor.split.decision;
        if (other.feature != own.feature) continue;
        const bool from_left = ancestor.left == child;
        if (from_left ? other.last <= own.last : other.last >= own.last) return false;
    }
    return true;
}

} // namespace

void GrowingTree::start(const ColumnKey& column_key, double sigma, int threads,
                        std::vector<Node>& out) {
    key = column_key;
    noise = {sigma, hash64(key.seed, key.round, key.tree)};
    n_threads = threads;
    nodes = &out;
}

void GrowingTree::make_root() {
    nodes->assign(1, Node{});
    Node& root = at(0);
    root.n_rows = packed[0].measured.n_rows;
    root.sums = packed[0].total;
    for (std::size_t k = 1; k < packed.size(); ++k) root.more_sums.push_back(packed[k].total);
    root.bounds = rule.first_bounds();
    root.score = score_of(root);
    gain_to_grow = plan.gain_to_grow(hessian_of(root));
    rule.min_child_weight = plan.leaf_hessian(hessian_of(root));
}

void GrowingTree::make_children(int number, bool has_border) {
    const auto first = static_cast<int>(nodes->size());
    nodes->resize(nodes->size() + 2);
    Node& node = at(number);
    node.left = first;
    node.right = first + 1;
    const ChildBounds bounds = plan.is_monotone() ? bounds_below(number, has_border)
                                                  : ChildBounds{node.bounds, node.bounds};
    for (const int child_number : {node.left, node.right}) {
        Node& child = at(child_number);
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
    at(node.left).hopeless = node.hopeless;
    at(node.right).hopeless = std::move(node.hopeless);
}

double GrowingTree::score_of(const Node& node, int output) const {
    const Sums& sums = sums_of(node, output);
    const Packing& own = packing(output);
    return score(real_gradient(sums, own, center_of(sums, own)),
                 static_cast<double>(sums.hessian) * own.hessian_unit, rule, node.bounds);
}

double GrowingTree::score_of(const Node& node) const {
    double sum = score_of(node, 0);
    for (int output = 1; output < n_outputs(); ++output) sum += score_of(node, output);
    return sum;
}

double GrowingTree::step_of(const Sums& sums, const Bounds& bounds) const {
    return bounded_step(static_cast<double>(sums.gradient) * packing().gradient_unit,
                        static_cast<double>(sums.hessian) * packing().hessian_unit, rule, bounds);
}

ChildBounds GrowingTree::bounds_below(int number, bool has_border) const {
    const Node& node = at(number);
    const Split& split = node.split;
    const int direction =
        has_border && divides_values(*nodes, number) ? plan.direction(split.decision.feature) : 0;
    const double value = step_of(node.sums, node.bounds);
    const Sums right = node.sums - split.left;
    return child_bounds(node.bounds, direction, value,
                        split.left.count > 0 ? step_of(split.left, node.bounds) : value,
                        right.count > 0 ? step_of(right, node.bounds) : value);
}

bool GrowingTree::may_center() const {
    const auto penalized = [&](std::uint8_t kind) {
        return plan.category.child_l2(static_cast<CategoryKind>(kind)) != 0;
    };
    return plan.own_units && !ranks() && !rule.bounded && rule.lambda == 0 && rule.alpha == 0 &&
           plan.score == SplitScore::newton &&
           std::none_of(plan.columns.kinds.begin(), plan.columns.kinds.end(), penalized);
}

std::int64_t GrowingTree::most_leaves() const {
    return plan.max_leaves > 0 ? plan.max_leaves : std::numeric_limits<std::int32_t>::max() / 2;
}

bool GrowingTree::may_split(const Node& node) const {
    if (plan.max_depth > 0 && node.depth >= plan.max_depth) return false;
    return node.n_rows >= 2 && enough_rows(node) &&
           static_cast<double>(node.sums.count) >= 2 * rule.min_count &&
           hessian_of(node) >= 2 * rule.min_child_weight;
}

} // namespace ceiba
