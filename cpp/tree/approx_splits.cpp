#include "tree/approx_splits.hpp"

#include "parallel/pool.hpp"

#include <limits>

namespace ceiba {

ApproxSplits::ApproxSplits(GrowingTree& tree, ColumnChoice& columns, LocalExchange& exchange,
                           ApproxSearch& approx)
    : HistogramSplits(tree, columns, approx.binned().mapper(), exchange, &exchange),
      approx_(approx) {}

void ApproxSplits::start(const RowSelection& selection) {
    approx_.start(local_->quantized(), local_->shards(), selection.rows, selection.all,
                  columns_.of_tree(), tree_.n_threads);
    local_->lay_out();
    use_bins(approx_.binned().mapper(), false);
    HistogramSplits::start(selection);
}

bool ApproxSplits::has_border(const Split& split) const {
    return split.threshold < std::numeric_limits<double>::infinity();
}

void ApproxNodeSplits::start(const RowSelection& selection) {
    approx_.start(local_.quantized(), local_.shards(), selection.rows, selection.all,
                  columns_.of_tree(), tree_.n_threads);
    local_.lay_out();
}

void ApproxNodeSplits::scan(int number, int feature, Split& best) const {
    const Node& node = tree_.at(number);
    approx_.scan({number, node.sums, node.score, node.bounds, tree_.plan.direction(feature)},
                 feature, tree_.rule, best);
}

void ApproxNodeSplits::search(std::span<const int> nodes) {
    std::vector<Task> tasks;
    std::int64_t work = 0;
    for (const int number : nodes) {
        const Node& node = tree_.at(number);
        if (!tree_.may_split(node)) continue;
        for (const int feature : columns_.of_node(number)) {
            tasks.push_back({number, feature, {}});
            work += 8 * node.n_rows;
        }
    }
    parallel_for(useful_threads(tree_.n_threads, work), std::ssize(tasks), [&](std::int64_t i) {
        Task& task = tasks[static_cast<std::size_t>(i)];
        scan(task.node, task.feature, task.best);
    });
    for (std::size_t first = 0, last = 0; first < tasks.size(); first = last) {
        while (last < tasks.size() && tasks[last].node == tasks[first].node) ++last;
        choose_split({tasks.data() + first, last - first});
    }
}

// Columns are tried in increasing order, so ties go to the lowest.
void ApproxNodeSplits::choose_split(std::span<const Task> columns_of_node) {
    const int number = columns_of_node.front().node;
    Node& node = tree_.at(number);
    Split best;
    std::vector<int> columns;
    std::vector<std::uint8_t> hopeful;
    for (const Task& task : columns_of_node) {
        columns.push_back(task.feature);
        if (tree_.plan.drop_hopeless_columns)
            hopeful.push_back(tree_.is_hopeful(node, task.best.gain));
        if (task.best.found() && task.best.gain > best.gain) best = task.best;
    }
    for (const int feature : columns_.further(number, columns)) {
        if (tree_.gains_enough(best, node, 0)) break;
        scan(number, feature, best);
    }
    if (tree_.gains_enough(best, node, tree_.gain_to_grow)) node.split = best;
    if (tree_.plan.drop_hopeless_columns) columns_.note_hopeless(columns, hopeful, node);
}

bool ApproxNodeSplits::has_border(const Split& split) const {
    return split.threshold < std::numeric_limits<double>::infinity();
}

} // namespace ceiba
