// Trees of exact splits in presorted rows (split/sorted_nodes.hpp): nodes have units of their own.
//
// The frontier says which nodes are split next, as in grow_nodes(). A node is searched when it is made.

#include "base/interrupt.hpp"
#include "parallel/pool.hpp"
#include "tree/tree_grower.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ceiba {

bool TreeGrower::grows_sorted(std::span<const GradientView> views) const {
    const bool categories = std::any_of(plan_.columns.kinds.begin(), plan_.columns.kinds.end(),
                                        [](std::uint8_t kind) { return kind != 0; }),
               hessians = std::any_of(views.begin(), views.end(), [](const GradientView& view) {
                   return view.hessians != nullptr;
               });
    return plan_.own_units && exact_ && plan_.grow_policy != GrowPolicy::symmetric &&
           !rule_.bounded && !plan_.drop_hopeless_columns && !linear_ && !ranks() && !categories &&
           !hessians;
}

void TreeGrower::grow_sorted(std::span<const GradientView> views, const RowSelection& selection) {
    if (!sorted_) sorted_ = std::make_unique<SortedNodes>();
    sorted_->start(exact_->ranked(), tree_columns_, views, selection, rule_, n_threads_);
    places_.assign(1, {0, sorted_->n_rows()});
    const std::int64_t most_leaves =
        plan_.max_leaves > 0 ? plan_.max_leaves : std::numeric_limits<std::int32_t>::max() / 2;
    std::int64_t n_leaves = 1;
    Frontier frontier(plan_.grow_policy);
    if (most_leaves > 1) search_sorted(0, frontier);
    for (std::vector<int> batch; !(batch = frontier.next_batch(most_leaves - n_leaves)).empty();) {
        n_leaves += std::ssize(batch);
        for (const int number : batch) {
            check_interrupt();
            divide_sorted(number);
            if (n_leaves >= most_leaves) continue;
            const int left = node_at(number).left, right = node_at(number).right;
            search_sorted(left, frontier);
            search_sorted(right, frontier);
        }
        frontier.drop_hopeless(most_leaves - n_leaves);
    }
    local_->take_rows(sorted_->rows(), places_);
}

void TreeGrower::divide_sorted(int number) {
    make_children(number);
    Node& node = node_at(number);
    Node &left = node_at(node.left), &right = node_at(node.right);
    const RowPlace place = places_[static_cast<std::size_t>(number)];
    // The children know their sums; how many rows they have follows.
    left.n_rows = right.n_rows = 2;
    const bool further = may_split(left) || may_split(right);
    const std::int64_t middle =
        place.begin + sorted_->divide(node.split, place.begin, place.end, further, n_threads_);
    left.n_rows = middle - place.begin;
    right.n_rows = place.end - middle;
    places_.push_back({place.begin, middle});
    places_.push_back({middle, place.end});
}

void TreeGrower::search_sorted(int number, Frontier& frontier) {
    Node& node = node_at(number);
    const RowPlace place = places_[static_cast<std::size_t>(number)];
    if (!may_split(node) || !sorted_->look_at(place.begin, place.end)) return;
    node.score = sorted_->score();
    const std::vector<int> columns = columns_for(node, number);
    Split best;
    const std::int64_t work = 2 * (place.end - place.begin) * std::ssize(columns);
    if (const int n_threads = useful_threads(n_threads_, work); n_threads > 1) {
        std::vector<Split> by_column(columns.size());
        parallel_for(n_threads, std::ssize(columns), [&](std::int64_t i) {
            const auto at = static_cast<std::size_t>(i);
            sorted_->scan(columns[at], by_column[at]);
        });
        for (const Split& split : by_column) take_better(split, best);
    } else {
        for (const int column : columns) sorted_->scan(column, best);
    }
    const auto gains = [&](double least) {
        return best.found() && is_gain(best.gain, node.score, least);
    };
    if (!gains(0)) {
        for (const int column : further_columns(node, number, columns)) {
            sorted_->scan(column, best);
            if (gains(0)) break;
        }
    }
    if (!gains(gain_to_grow_)) return;
    // Sums of nodes are in the units of the tree.
    best.left.hessian = std::llround(static_cast<double>(best.left.hessian) *
                                     sorted_->hessian_unit() / packed_.packing.hessian_unit);
    best.more_left.assign(more_packed_.size(), Sums{}); // of no use in these trees
    node.split = best;
    frontier.add(number, node.depth, best.gain);
}

} // namespace ceiba
