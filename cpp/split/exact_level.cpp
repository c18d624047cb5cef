// Exact splits of symmetric growth: all nodes of a level share a threshold. Every distinct value
// of the level is a candidate. The rows of an opened bin belong to different nodes. Each node keeps
// its own sums along the walk. Where the value changes, the gains of the nodes are added in node
// order.

#include "parallel/pool.hpp"
#include "split/exact.hpp"
#include "split/inner_bounds.hpp"

#include <algorithm>
#include <limits>

namespace ceiba {

// One column of all nodes of a level.
class ExactSearch::LevelWalk {
  public:
    LevelWalk(const ExactSearch& search, std::span<const NodeView> nodes, const ScanOf& scan_of,
              int feature, std::uint32_t first_mark)
        : search_(&search), feature_(feature), first_mark_(first_mark) {
        for (const NodeView& node : nodes) {
            const ColumnScan scan = scan_of(node.number, feature, 0);
            own_.push_back({scan, sums_before(scan), missing_sums(scan), {}, 0, 0, node.gains});
        }
    }

    // Tries every threshold inside a bin.
    void walk(int bin, Split& best) {
        for (Own& own : own_) {
            own.left = own.before[static_cast<std::size_t>(bin)];
            weigh(own);
        }
        const RankedColumns& ranked = *search_->ranked_;
        const auto first = search_->first_ranks(feature_);
        const auto starts = ranked.starts(feature_);
        const std::int32_t* order = ranked.order(feature_).data();
        const std::uint32_t* ranks = ranked.ranks(feature_);
        const std::uint32_t* marks = search_->marks_.data();
        constexpr std::uint32_t kNone = RankedColumns::kMissing;
        std::uint32_t rank = kNone; // of the previous row
        const auto b = static_cast<std::size_t>(bin);
        for (std::int32_t i = starts[first[b]], end = starts[first[b + 1]]; i < end; ++i) {
            const std::int32_t row = order[i];
            const std::size_t node =
                marks[row] - first_mark_; // wraps around for rows outside the tree
            if (node >= own_.size()) continue;
            if (rank != kNone && ranks[row] != rank) try_threshold(rank, best);
            rank = ranks[row];
            own_[node].left.add(search_->words_.first->of_row(row));
            changed_.push_back(node);
        }
        changed_.clear();
    }

  private:
    struct Own { // sums on the left, and the gain, of one node
        ColumnScan scan;
        std::vector<Pair> before;
        Sums missing;
        Pair left;
        double gain_right, gain_left; // with missing rows on the right, on the left
        bool gains;
    };

    void weigh(Own& own) const {
        if (!own.gains) return;
        const Sums left = unpack(own.left, *own.scan.packing);
        own.gain_right = gain_of(own.scan, left, {}, 0.0);
        own.gain_left =
            own.missing.count > 0 ? gain_of(own.scan, left, own.missing, 0.0) : own.gain_right;
    }

    void try_threshold(std::uint32_t rank, Split& best) {
        for (const std::size_t node : changed_) weigh(own_[node]);
        changed_.clear();
        double right = 0, left = 0;
        for (const Own& own : own_) {
            right += own.gain_right;
            left += own.gain_left;
        }
        const bool missing_left = own_[0].scan.has_missing && left >= right;
        const Split found{
            missing_left ? left : right, {feature_, rank, missing_left, nullptr}, 0, {}, 0};
        if (is_better(found, best)) best = found;
    }

    const ExactSearch* search_;
    int feature_;
    std::uint32_t first_mark_;
    std::vector<Own> own_;
    std::vector<std::size_t> changed_; // nodes whose sums changed since their last gain
};

void ExactSearch::refine_level(std::span<const NodeView> nodes, const ScanOf& scan_of,
                               double level_score, Split& best, int n_threads) {
    if (best.found() && !best.decision.set) speak_of_ranks(best.decision);
    if (nodes.empty() || nodes[0].columns.empty()) return;
    const auto n_nodes = static_cast<std::int64_t>(nodes.size());
    std::vector<Task> tasks;
    std::int64_t work = 0;
    for (const int feature : nodes[0].columns) {
        tasks.push_back({0, feature, {}, {}});
        work += 8 * n_nodes * binned_->mapper().n_value_bins(feature);
    }
    parallel_for(
        useful_threads(n_threads, work), static_cast<std::int64_t>(tasks.size()),
        [&](std::int64_t t) {
            Task& task = tasks[static_cast<std::size_t>(t)];
            const auto n = static_cast<std::size_t>(binned_->mapper().n_value_bins(task.feature));
            std::vector<double> bounds(n, 0.0), own(n);
            for (const NodeView& node : nodes) {
                if (!node.gains) continue;
                inner_bounds(scan_of(node.number, task.feature, 0), limits_[0], true, own.data());
                for (std::size_t b = 0; b < n; ++b) bounds[b] += own[b];
            }
            // The sums of gains and of bounds round differently.
            for (double& bound : bounds) bound += 0x1p-40 * (bound + level_score);
            task.bins = promising(task.feature, bounds.data(), level_score, best.gain);
        });
    std::erase_if(tasks, [](const Task& task) { return task.bins.empty(); });
    std::sort(tasks.begin(), tasks.end(), is_more_promising);

    const std::uint32_t first_mark = new_marks(nodes.size());
    std::int64_t n_rows = 0;
    for (const NodeView& node : nodes) n_rows += node.rows.end - node.rows.begin;
    if (!tasks.empty())
        parallel_for(useful_threads(n_threads, n_rows), n_nodes, [&](std::int64_t i) {
            mark_rows(nodes[static_cast<std::size_t>(i)].rows,
                      first_mark + static_cast<std::uint32_t>(i));
        });
    std::atomic<double> gain = best.gain;
    parallel_for(useful_threads(n_threads, n_rows), static_cast<std::int64_t>(tasks.size()),
                 [&](std::int64_t t) {
                     Task& task = tasks[static_cast<std::size_t>(t)];
                     if (task.bins[0].bound < gain.load()) return;
                     LevelWalk walk(*this, nodes, scan_of, task.feature, first_mark);
                     for (const Opened& opened : task.bins) {
                         if (opened.bound < gain.load()) break;
                         walk.walk(opened.bin, task.best);
                         raise(gain, task.best.gain);
                     }
                 });
    for (const Task& task : tasks)
        if (task.best.found() && is_better(task.best, best)) best = task.best;
}

Split ExactSearch::share_of(const Split& shared, const ColumnScan& scan,
                            const NodeView& node) const {
    const RowRange& rows = node.rows;
    const std::uint32_t* ranks = ranked_->ranks(shared.decision.feature);
    Pair left{0, 0};
    for (std::int64_t i = rows.begin; i < rows.end; ++i) {
        const auto row = rows.rows == nullptr ? static_cast<std::int32_t>(i) : rows.rows[i];
        if (ranks[row] <= shared.decision.last) left.add(words_.first->of_row(row));
    }
    const Sums missing = shared.decision.missing_left ? missing_sums(scan) : Sums{};
    // "Missing against present" has no direction (split/scan.hpp).
    ColumnScan directed = scan;
    if (shared.decision.last + 1 == ranked_->values(shared.decision.feature).size())
        directed.direction = 0;
    Split own = shared;
    own.left = unpack(left, words_.first->packing);
    own.gain = node.gains ? gain_of(directed, own.left, missing, 0.0) : 0.0;
    own.left += missing;
    return own;
}

} // namespace ceiba
