#include "tree/exact_splits.hpp"

#include "parallel/pool.hpp"

#include <limits>
#include <utility>

namespace ceiba {

ExactSplits::ExactSplits(GrowingTree& tree, ColumnChoice& columns, LocalExchange& exchange,
                         std::shared_ptr<const RankedColumns> ranked)
    : HistogramSplits(tree, columns, exchange.binned().mapper(), exchange, &exchange),
      exact_(exchange.binned(), std::move(ranked)) {
    use_bins(exchange.binned().mapper(), false, true);
}

void ExactSplits::start(const RowSelection& selection) {
    HistogramSplits::start(selection);
    std::vector<Packing> packings;
    for (const Packed& packed : tree_.packed) packings.push_back(packed.packing);
    exact_.start({&local_->quantized(), local_->more_outputs()}, packings, local_->rows_of(0),
                 tree_.rule, tree_.gain_to_grow, tree_.n_threads);
}

ExactSearch::ScanOf ExactSplits::histogram_of() const {
    return [this](int number, int feature, int output) {
        return scans_.of(tree_.at(number), feature, output);
    };
}

ExactSearch::NodeView ExactSplits::view_of(int number, std::span<const int> columns,
                                           Split& best) const {
    const Node& node = tree_.at(number);
    return {number, local_->rows_of(number), columns, node.score, tree_.enough_rows(node), &best};
}

void ExactSplits::refine(std::span<Found> found) {
    std::vector<ExactSearch::NodeView> views;
    for (Found& one : found) {
        // Every level of a category has its own bin.
        std::erase_if(one.columns, [&](int column) { return tree_.plan.is_category(column); });
        if (one.searched) views.push_back(view_of(one.node, one.columns, one.best));
        if (one.best.found()) // before decisions are translated from bins to ranks
            scorer_->add_left_sums(tree_.at(one.node), one.best);
    }
    exact_.refine(views, histogram_of(), tree_.n_threads);
}

void ExactSplits::refine_level(std::span<const int> level, std::span<const int> columns,
                               double level_score, Split& shared) {
    std::vector<ExactSearch::NodeView> views;
    for (const int number : level)
        if (tree_.at(number).n_rows > 0) views.push_back(view_of(number, columns, shared));
    exact_.refine_level(views, histogram_of(), level_score, shared, tree_.n_threads);
}

void ExactSplits::share(int number, const Split& shared, std::span<const int> columns) {
    if (shared.decision.set) return HistogramSplits::share(number, shared, columns);
    Node& node = tree_.at(number);
    Split best = shared;
    node.split = exact_.share_of(shared, scans_.of(node, shared.decision.feature),
                                 view_of(number, columns, best));
}

void ExactSplits::settle(std::span<const int> batch) {
    std::vector<RowRange> rows;
    std::int64_t n_rows = 0;
    for (const int number : batch) {
        rows.push_back(local_->rows_of(number));
        n_rows += rows.back().end - rows.back().begin;
    }
    const auto split_of = [&](std::size_t i) -> Split& { return tree_.at(batch[i]).split; };
    if (tree_.is_symmetric()) {
        exact_.settle(rows, split_of(0));
        for (std::size_t i = 1; i < batch.size(); ++i) {
            split_of(i).decision = split_of(0).decision;
            split_of(i).threshold = split_of(0).threshold;
        }
        return;
    }
    parallel_for(useful_threads(tree_.n_threads, n_rows), std::ssize(batch), [&](std::int64_t i) {
        const auto at = static_cast<std::size_t>(i);
        exact_.settle({&rows[at], 1}, split_of(at));
    });
}

bool ExactSplits::has_border(const Split& split) const {
    return split.threshold < std::numeric_limits<double>::infinity();
}

} // namespace ceiba
