// Grower::adopt: put new rows into existing trees.
#include "base/errors.hpp"
#include "rows/local_tree_rows.hpp"
#include "tree/grower.hpp"

#include <string>

namespace ceiba {

namespace {

// The nodes of an existing tree: children, parents and penalties, but no split statistics.
void copy_structure(const TreeArrays& trees, std::size_t tree, const GrowPlan& plan,
                    GrownTree& out) {
    const auto first = static_cast<std::size_t>(trees.tree_offsets[tree]),
               last = static_cast<std::size_t>(trees.tree_offsets[tree + 1]);
    out.nodes.assign(last - first, Node{});
    for (std::size_t i = 0; i < out.nodes.size(); ++i) {
        Node& node = out.nodes[i];
        node.left = trees.left[first + i];
        node.right = trees.right[first + i];
        node.split.decision.feature = trees.feature[first + i];
        node.split.decision.missing_left = trees.missing_left[first + i] != 0;
        node.split.threshold = trees.threshold[first + i];
        if (node.is_leaf()) continue;
        const bool by_set = trees.splits_by_set(static_cast<std::int64_t>(first + i));
        for (const int number : {node.left, node.right}) {
            Node& child = out.nodes[static_cast<std::size_t>(number)];
            child.parent = static_cast<int>(i);
            child.depth = node.depth + 1;
            if (by_set)
                child.extra_l2 = plan.category.child_l2(plan.kind(node.split.decision.feature));
        }
    }
}

// Assigns rows to leaves and counts the rows of every node.
void place_rows(std::span<const std::int32_t> leaves, std::size_t tree, std::size_t n_trees,
                const WeightFacts& weights, GrownTree& out) {
    const std::size_t n_rows = leaves.size() / n_trees;
    const bool weighted = weights.multiply_after() && weights.counted;
    auto rows = std::make_unique<LocalTreeRows>();
    LeafOfRow& leaf_of_row = rows->start(static_cast<std::int64_t>(n_rows), nullptr, nullptr,
                                         std::ssize(out.nodes), RowSelection{});
    leaf_of_row.with_numbers([&]<class Number>(Number* numbers) {
        for (std::size_t row = 0; row < n_rows; ++row) {
            const std::int32_t leaf = leaves[row * n_trees + tree];
            if (leaf < 0 || leaf >= static_cast<std::int32_t>(out.nodes.size()) ||
                !out.nodes[static_cast<std::size_t>(leaf)].is_leaf())
                throw InputError("row " + std::to_string(row) +
                                 " must be in a leaf of its tree. "
                                 "Got node " +
                                 std::to_string(leaf) + ".");
            numbers[row] = static_cast<Number>(leaf);
            Node& node = out.nodes[static_cast<std::size_t>(leaf)];
            ++node.n_rows;
            node.sums.count += weighted ? static_cast<std::int64_t>(weights.weights[row]) : 1;
        }
    });
    out.rows = std::move(rows);
    // Children come after their parent.
    for (std::size_t i = out.nodes.size(); i-- > 1;) {
        Node& parent = out.nodes[static_cast<std::size_t>(out.nodes[i].parent)];
        parent.n_rows += out.nodes[i].n_rows;
        parent.sums.count += out.nodes[i].sums.count;
    }
}

} // namespace

void Grower::adopt(const TreeArrays& trees, std::span<const std::int32_t> leaves,
                   std::span<const GradientView> views) {
    const auto n_trees = static_cast<std::size_t>(trees.n_trees());
    if (n_trees == 0 || views.empty() || n_trees % views.size() != 0)
        throw InputError("there must be gradients for each tree.");
    if (leaves.size() != n_trees * static_cast<std::size_t>(table_.n_rows))
        throw InputError("there must be a leaf for each row and tree.");
    ++n_grown_;
    facts_.assign(1, all_facts_);
    takes_all_rows_.assign(1, false);
    trees_.resize(n_trees);
    Measured measured;
    for (std::size_t tree = 0; tree < n_trees; ++tree) {
        const std::size_t trees_of_view = n_trees / views.size();
        if (tree % trees_of_view == 0)
            measured =
                measure_rows(views[tree / trees_of_view], {true, {}, all_facts_}, n_threads_);
        GrownTree& out = trees_[tree];
        out.has_current_linear_leaves = false;
        copy_structure(trees, tree, plan_, out);
        place_rows(leaves, tree, n_trees, all_facts_, out);
        check_extent(measured.extent, static_cast<double>(measured.repeats));
        out.extent = measured.extent;
        out.repeats = static_cast<double>(measured.repeats);
    }
}

} // namespace ceiba
