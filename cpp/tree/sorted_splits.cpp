#include "tree/sorted_splits.hpp"

#include "base/interrupt.hpp"
#include "parallel/pool.hpp"

#include <algorithm>
#include <cmath>

namespace ceiba {

bool SortedSplits::serves(const GrowingTree& tree, std::span<const GradientView> views) {
    const GrowPlan& plan = tree.plan;
    const auto& kinds = plan.columns.kinds;
    return plan.own_units && !tree.is_symmetric() && !tree.rule.bounded &&
           !plan.drop_hopeless_columns && !tree.ranks() &&
           std::all_of(kinds.begin(), kinds.end(), [](std::uint8_t kind) { return kind == 0; }) &&
           std::all_of(views.begin(), views.end(),
                       [](const GradientView& view) { return view.hessians == nullptr; });
}

void SortedSplits::pack(std::span<const GradientView> views, const RowSelection& selection) {
    SplitSearch::pack(views, selection);
    views_.assign(views.begin(), views.end());
}

void SortedSplits::start(const RowSelection& selection) {
    sorted_.start(*ranked_, columns_.of_tree(), views_, selection, tree_.rule, tree_.n_threads);
    places_.assign(1, {0, sorted_.n_rows()});
}

void SortedSplits::search(std::span<const int> nodes) {
    for (const int number : nodes) search_node(number);
}

void SortedSplits::split(std::span<const int> batch) {
    for (const int number : batch) {
        check_interrupt();
        tree_.make_children(number, has_border(tree_.at(number).split));
        Node& node = tree_.at(number);
        Node &left = tree_.at(node.left), &right = tree_.at(node.right);
        const RowPlace place = places_[static_cast<std::size_t>(number)];
        // The children have sums, but no row counts yet.
        left.n_rows = right.n_rows = 2;
        const bool further = tree_.may_split(left) || tree_.may_split(right);
        const std::int64_t middle = place.begin + sorted_.divide(node.split, place.begin, place.end,
                                                                 further, tree_.n_threads);
        left.n_rows = middle - place.begin;
        right.n_rows = place.end - middle;
        places_.push_back({place.begin, middle});
        places_.push_back({middle, place.end});
    }
}

void SortedSplits::search_node(int number) {
    Node& node = tree_.at(number);
    const RowPlace place = places_[static_cast<std::size_t>(number)];
    if (!tree_.may_split(node) || !sorted_.look_at(place.begin, place.end)) return;
    node.score = sorted_.score();
    const std::vector<int> columns = columns_.of_node(number);
    Split best;
    const std::int64_t work = 2 * (place.end - place.begin) * std::ssize(columns);
    scan_columns(columns, useful_threads(tree_.n_threads, work), best,
                 [&](int column, Split& own) { sorted_.scan(column, own); });
    if (!tree_.gains_enough(best, node, 0)) {
        for (const int column : columns_.further(number, columns)) {
            sorted_.scan(column, best);
            if (tree_.gains_enough(best, node, 0)) break;
        }
    }
    if (!tree_.gains_enough(best, node, tree_.gain_to_grow)) return;
    // Sums of nodes use the units of the tree.
    best.left.hessian = std::llround(static_cast<double>(best.left.hessian) *
                                     sorted_.hessian_unit() / tree_.packing().hessian_unit);
    best.more_left.assign(tree_.packed.size() - 1, Sums{}); // not used in these trees
    node.split = best;
}

} // namespace ceiba
