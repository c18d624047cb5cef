#include "tree/histogram_splits.hpp"

#include "parallel/pool.hpp"

#include <algorithm>

namespace ceiba {

HistogramSplits::HistogramSplits(GrowingTree& tree, ColumnChoice& columns, const BinMapper& mapper,
                                 Exchange& exchange, LocalExchange* local)
    : SplitSearch(tree, columns, exchange), store_(tree, exchange, local),
      scans_(tree, columns, store_), local_(local), constants_(tree, scans_),
      vectors_(tree, scans_), ranked_(tree, scans_) {
    use_bins(mapper, !tree.plan.extra_trees);
}

void HistogramSplits::use_bins(const BinMapper& mapper, bool scans_pairs, bool needs_value) {
    store_.lay_out(mapper);
    scans_.use(mapper, needs_value);
    constants_.start(scans_pairs);
}

void HistogramSplits::start(const RowSelection& selection) {
    if (tree_.ranks())
        scorer_ = &ranked_;
    else
        scorer_ = tree_.n_outputs() > 1 ? static_cast<ColumnScorer*>(&vectors_) : &constants_;
    store_.start(columns_.of_tree(), n_planes());
    store_.start_lists(selection, columns_.of_tree());
}

void HistogramSplits::search(std::span<const int> nodes) {
    std::vector<Build> builds;
    if (nodes.size() == 1)
        builds.push_back({nodes[0], -1});
    else
        for (std::size_t i = 0; i < nodes.size(); i += 2)
            store_.plan_sums(tree_.at(nodes[i]).parent, builds);
    if (builds.empty()) return;
    before_sum(builds);
    if (tree_.is_symmetric())
        search_level(nodes, builds);
    else
        search_nodes(builds);
    for (const int number : nodes) {
        Node& node = tree_.at(number);
        const bool ends = !node.split.found() || node.n_rows == 0;
        if (ends)
            store_.drop(number);
        else if (!keeps_histograms() || store_.crowded())
            store_.give_back(node);
    }
}

bool HistogramSplits::notes_hopeless() const {
    return tree_.plan.drop_hopeless_columns && !tree_.ranks();
}

void HistogramSplits::search_nodes(std::span<const Build> builds) {
    std::vector<Found> found(2 * builds.size());
    for (std::size_t i = 0; i < found.size(); ++i) {
        Found& one = found[i];
        one.node = i % 2 == 0 ? builds[i / 2].node : builds[i / 2].sibling;
        if (one.node < 0 || !tree_.may_split(tree_.at(one.node))) continue;
        one.searched = true;
        one.columns = columns_.of_node(one.node);
        one.by_group.resize(store_.n_groups());
        if (notes_hopeless()) one.hopeful.resize(one.columns.size(), 0);
    }
    sum(builds, found);
    for (Found& one : found)
        for (const Split& split : one.by_group) take_better(split, one.best);
    scan_lists(found);
    refine(found);
    for (Found& one : found) {
        if (one.node < 0) continue;
        if (tree_.plan.draw_until_split && !tree_.ranks() && one.searched) search_further(one);
        Node& node = tree_.at(one.node);
        scorer_->judge(node, one.best);
        if (tree_.gains_enough(one.best, node, tree_.gain_to_grow)) {
            node.split = one.best;
            complete(one.node);
        }
        columns_.note_hopeless(one.columns, one.hopeful, node);
    }
}

// Sums histograms. The thread that completes a group of columns also scans it.
void HistogramSplits::sum(std::span<const Build> builds, std::span<Found> found) {
    store_.sum(builds, [&](int i, int group) {
        for (std::size_t k = 0; k < 2; ++k) {
            Found& one = found[2 * static_cast<std::size_t>(i) + k];
            if (!one.columns.empty())
                scorer_->scan_group(tree_.at(one.node), store_.group(group), one.columns,
                                    one.hopeful, one.by_group[static_cast<std::size_t>(group)]);
        }
    });
}

// Scans the columns that a node did not draw, one by one, until one has a gain.
void HistogramSplits::search_further(Found& found) {
    const Node& node = tree_.at(found.node);
    for (const int column : columns_.further(found.node, found.columns)) {
        if (tree_.gains_enough(found.best, node, 0)) return;
        std::vector<Found> one(1);
        one[0].node = found.node;
        one[0].searched = true;
        one[0].columns = {column};
        if (store_.has(column))
            scorer_->scan_group(node, one[0].columns, one[0].columns, {}, one[0].best);
        scan_lists(one);
        refine(one);
        if (one[0].best.found() && one[0].best.gain > found.best.gain) found.best = one[0].best;
    }
}

// Scans columns that are stored as lists of rows.
void HistogramSplits::scan_lists(std::span<Found> found) {
    if (store_.lists() == nullptr) return;
    const SparseLists& lists = *store_.lists();
    struct Task {
        Found* of;
        int begin, end;
        Split best;
    };
    std::vector<Task> tasks;
    std::int64_t work = 0;
    constexpr int kColumns = 512;
    for (Found& one : found) {
        if (one.columns.empty()) continue;
        const int n = lists.n_columns(one.node);
        for (int begin = 0; begin < n; begin += kColumns)
            tasks.push_back({&one, begin, std::min(n, begin + kColumns), {}});
        work += 4 * lists.n_entries(one.node) + 64 * n;
    }
    parallel_for(useful_threads(tree_.n_threads, work), std::ssize(tasks), [&](std::int64_t i) {
        Task& task = tasks[static_cast<std::size_t>(i)];
        Found& one = *task.of;
        const Node& node = tree_.at(one.node);
        ListBins bins;
        auto at = std::lower_bound(one.columns.begin(), one.columns.end(),
                                   lists.feature(one.node, task.begin));
        for (int k = task.begin; k < task.end; ++k) {
            const int feature = lists.feature(one.node, k);
            while (at != one.columns.end() && *at < feature) ++at;
            if (at == one.columns.end()) break;
            if (*at != feature) continue;
            lists.sum(one.node, k, bins);
            const ColumnScan scan = scans_.with_bins(node, feature, bins.planes());
            if (one.hopeful.empty())
                constants_.scan(scan, task.best);
            else
                one.hopeful[static_cast<std::size_t>(at - one.columns.begin())] =
                    constants_.scan_hopeful(node, scan, task.best);
        }
    });
    for (Task& task : tasks) take_better(task.best, task.of->best);
}

void HistogramSplits::complete(int number) {
    Node& node = tree_.at(number);
    scorer_->add_left_sums(node, node.split);
}

// Only the missing bin follows the last value bin.
bool HistogramSplits::has_border(const Split& split) const {
    return static_cast<int>(split.decision.last) + 1 <
           scans_.mapper().n_value_bins(split.decision.feature);
}

} // namespace ceiba
