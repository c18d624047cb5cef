// Symmetric growth: all nodes of a level share the split with the largest sum of gains.
#include "parallel/pool.hpp"
#include "tree/histogram_splits.hpp"

#include <cmath>

namespace ceiba {

void HistogramSplits::search_level(std::span<const int> level, std::span<const Build> builds) {
    std::vector<int> columns = columns_.of_node(level.front());
    store_.check_room(2 * std::ssize(builds));
    store_.sum(builds, [](int, int) {});

    std::vector<Split> best_of(columns.size());
    const std::int64_t work = std::ssize(level) * store_.n_bins();
    parallel_for(useful_threads(tree_.n_threads, 4 * work), std::ssize(columns),
                 [&](std::int64_t c) {
                     const auto at = static_cast<std::size_t>(c);
                     best_of[at] = scorer_->best_of_level(level, columns[at]);
                 });
    Split shared;
    for (const Split& split : best_of)
        if (split.found() && split.gain > shared.gain) shared = split;
    std::erase_if(columns, [&](int column) { return tree_.plan.is_category(column); });
    share_split(level, columns, shared);
}

// Assigns the shared split to every node of a level, if its gain is large enough.
void HistogramSplits::share_split(std::span<const int> level, std::span<const int> columns,
                                  Split& shared) {
    double level_score = 0, gain = 0;
    for (const int number : level) level_score += std::fabs(tree_.at(number).score);
    refine_level(level, columns, level_score, shared);
    // A rank is not a gain: accept a ranked split by the sum of the gains of its nodes.
    if (!shared.found() || (!tree_.ranks() && !scorer_->accepts(shared.gain, level_score))) return;
    for (const int number : level) {
        Node& node = tree_.at(number);
        node.split = shared;
        node.split.gain = 0;
        node.split.left = {};
        node.split.more_left.assign(tree_.packed.size() - 1, Sums{});
        if (node.n_rows > 0) share(number, shared, columns);
        gain += node.split.gain;
    }
    if (tree_.ranks() && !scorer_->accepts(gain, level_score))
        for (const int number : level) tree_.at(number).split = {};
}

void HistogramSplits::share(int number, const Split& /*shared*/, std::span<const int> /*columns*/) {
    Node& node = tree_.at(number);
    const Decision& decision = node.split.decision;
    ListBins bins;
    node.split.left = left_sums(scans_.any(node, decision.feature, bins), decision);
    if (tree_.enough_rows(node)) node.split.gain = scorer_->gain_of(node, decision);
    complete(number);
}

} // namespace ceiba
