#include "tree/window_growth.hpp"

#include "base/hash.hpp"
#include "base/interrupt.hpp"
#include "base/settings.hpp"
#include "parallel/pool.hpp"
#include "split/drawn.hpp"
#include "split/runs.hpp"

#include <algorithm>

namespace ceiba {

namespace {

// The second window may be so many times as large as the one for the first-level cache.
constexpr std::int64_t kLargerWindow = 14;
// Copying all columns of a row pays off if a node reads at least one in this many.
constexpr std::size_t kMostColumns = 16;

Runs& thread_runs() {
    thread_local Runs runs;
    return runs;
}

} // namespace

bool WindowGrowth::serves() const {
    const GrowPlan& plan = tree_.plan;
    return plan.grow_policy == GrowPolicy::depthfirst && plan.max_leaves == 0 &&
           settings().window_bytes > 0 && local_.shards().size() == 1 &&
           search_.store().lists() == nullptr && !tree_.ranks() && !plan.drop_hopeless_columns;
}

void WindowGrowth::grow() {
    const RowRange rows = local_.rows_of(0);
    windows_[0].start(local_.binned(), local_.quantized(), local_.more_outputs(), rows.rows,
                      rows.end);
    own_columns_ = columns_.of_tree();
    columns_.erase_constants(own_columns_);
    places_.assign(1, {0, rows.end});
    histogram_ = search_.store().take();
    grow_window(0, 0, 0);
    local_.take_rows(windows_[0].rows(), places_);
}

// The window that holds this many rows.
std::size_t WindowGrowth::window_for(std::int64_t n_rows) const {
    const std::size_t wanted =
        tree_.plan.columns_bynode > 0
            ? static_cast<std::size_t>(tree_.plan.columns_bynode)
            : static_cast<std::size_t>(static_cast<double>(own_columns_.size()) *
                                       std::min(1.0, tree_.plan.colsample_bynode));
    if (own_columns_.size() > kMostColumns * std::max<std::size_t>(1, wanted)) return 0;
    const auto row_bytes =
        static_cast<std::int64_t>(own_columns_.size()) + 8 * tree_.packing().n_planes() + 8;
    const std::int64_t n_bytes = n_rows * row_bytes, most = settings().window_bytes;
    return n_bytes <= most ? 2 : n_bytes <= kLargerWindow * most ? 1 : 0;
}

// Grows the tree below a node whose rows are in a window: rows `offset` and following of the
// tree.
void WindowGrowth::grow_window(std::size_t level, int number, std::int64_t offset) {
    struct Waiting {
        int node;
        std::int64_t begin, end;
    };
    RowWindow& window = windows_[level];
    std::vector<Waiting> waiting{{number, 0, window.n_rows()}};
    count(counters().windows);
    while (!waiting.empty()) {
        check_interrupt();
        const auto [next, begin, end] = waiting.back();
        waiting.pop_back();
        if (!tree_.may_split(tree_.at(next))) continue;
        const std::size_t smaller = window_for(end - begin);
        if (smaller > level) {
            windows_[smaller].narrow(window, own_columns_, begin, end);
            grow_window(smaller, next, offset + begin);
            windows_[smaller].give_back(window, begin);
            continue;
        }
        if (!search_node(window, next, begin, end)) continue;
        tree_.make_children(next, search_.has_border(tree_.at(next).split));
        const Node& node = tree_.at(next);
        const Decision& decision = node.split.decision;
        const auto missing =
            static_cast<Code>(search_.scans().mapper().missing_code(decision.feature));
        const std::int64_t middle = begin + window.divide(decision, missing, begin, end);
        tree_.at(node.left).n_rows = middle - begin;
        tree_.at(node.right).n_rows = end - middle;
        places_.push_back({offset + begin, offset + middle});
        places_.push_back({offset + middle, offset + end});
        waiting.push_back({node.right, middle, end});
        waiting.push_back({node.left, begin, middle});
    }
}

// Finds and stores the split of a node; returns whether it has one.
bool WindowGrowth::search_node(RowWindow& window, int number, std::int64_t begin,
                               std::int64_t end) {
    window.look_at(begin, end);
    if (window.is_pure()) return false;
    lots_ = lots_of(tree_.key, kDrawnStage, static_cast<std::uint64_t>(number));
    Node& node = tree_.at(number);
    const std::vector<int> columns = columns_.of_node(number);
    node.histogram = histogram_;
    Split best;
    const std::int64_t work = 4 * (end - begin) * std::ssize(columns);
    scan_columns(columns, useful_threads(tree_.n_threads, work), best,
                 [&](int column, Split& own) { scan(window, node, column, own); });
    if (!tree_.gains_enough(best, node, 0)) {
        for (const int column : columns_.further(number, columns)) {
            scan(window, node, column, best);
            if (tree_.gains_enough(best, node, 0)) break;
        }
    }
    if (tree_.gains_enough(best, node, tree_.gain_to_grow)) {
        node.split = best;
        search_.scorer().add_left_sums(node, node.split);
    }
    node.histogram = -1;
    return node.split.found();
}

// Sums one side of a random threshold of a numeric column.
void WindowGrowth::scan_drawn_side(const RowWindow& window, const Node& node, int feature,
                                   Split& best) const {
    const BinMapper& mapper = search_.scans().mapper();
    const bool has_missing = mapper.has_missing(feature);
    const int last = drawn_bin(mapper.n_value_bins(feature), has_missing,
                               hash64(lots_, static_cast<std::uint64_t>(feature)));
    if (last < 0) return;
    const RowWindow::Sides sides =
        window.sum_sides(feature, static_cast<Code>(last),
                         static_cast<Code>(mapper.missing_code(feature)), has_missing);
    const Sums left = unpack(sides.left, window.packing()),
               missing = unpack(sides.missing, window.packing());
    // In small nodes, most random thresholds leave all rows on one side.
    if (left.count == node.sums.count || left.count + missing.count == 0) return;
    ColumnScan scan = search_.scans().with_bins(node, feature, {});
    scan.packing = &window.packing();
    take_drawn(scan, last, left, missing, best);
}

// Replaces `best` if a column has a larger gain.
void WindowGrowth::scan(const RowWindow& window, const Node& node, int feature, Split& best) const {
    const NodeColumns& scans = search_.scans();
    const BinMapper& mapper = scans.mapper();
    const bool runs_serve = tree_.n_outputs() == 1 && !tree_.plan.is_category(feature);
    if (runs_serve && tree_.plan.extra_trees) return scan_drawn_side(window, node, feature, best);
    if (runs_serve) {
        Runs& runs = thread_runs();
        window.sum_runs(feature, mapper.n_bins(feature), runs);
        const bool missing =
            runs.places[static_cast<std::size_t>(runs.n) - 1] >= mapper.n_value_bins(feature);
        if (!missing) {
            ColumnScan scan = scans.with_bins(node, feature, {});
            scan.packing = &window.packing();
            const bool pairs = window.packing().n_planes() > 1;
            scan_runs(
                scan,
                {runs.places.data(), runs.first.data(), pairs ? runs.rest.data() : nullptr, runs.n},
                best);
            return;
        }
    }
    window.sum_bins(feature, search_.store().of_feature(histogram_, feature));
    search_.scorer().scan(node, feature, best);
}

} // namespace ceiba
