// Trees that grow to their last rows, depth first: a node is searched when its turn comes, in a window
// of rows (rows/row_window.hpp), and only by the columns that it may split. There are no histograms
// that wait for children, so a tree of any number of leaves needs no more memory than its nodes.
//
// Nodes get the numbers that the frontier of depthfirst growth gives them, and splits are the same
// bit for bit: grow_nodes() is the same machine for all that windows cannot do.

#include "base/hash.hpp"
#include "base/interrupt.hpp"
#include "base/settings.hpp"
#include "parallel/pool.hpp"
#include "split/drawn.hpp"
#include "split/runs.hpp"
#include "tree/tree_grower.hpp"

#include <algorithm>

namespace ceiba {

namespace {

// The second window may be so many times as large as the one for the first-level cache.
constexpr std::int64_t kLargerWindow = 14;
// Copying all columns of a row pays if a node looks at one of this many.
constexpr std::size_t kMostColumns = 16;

Runs& thread_runs() {
    thread_local Runs runs;
    return runs;
}

} // namespace

bool TreeGrower::grows_in_windows() const {
    return plan_.grow_policy == GrowPolicy::depthfirst && plan_.max_leaves == 0 &&
           settings().window_bytes > 0 && local_ != nullptr && local_->shards().size() == 1 &&
           !exact_ && !approx_ && !lists_ && !linear_ && !ranks() && !plan_.drop_hopeless_columns;
}

void TreeGrower::grow_in_windows() {
    windows_.resize(3);
    const RowRange rows = local_->rows_of(0);
    windows_[0].start(local_->binned(), local_->quantized(), local_->more_outputs(), rows.rows,
                      rows.end);
    window_columns_ = tree_columns_;
    leave_out_constants(window_columns_);
    places_.assign(1, {0, rows.end});
    window_histogram_ = pool_.take();
    grow_window(0, 0, 0);
    local_->take_rows(windows_[0].rows(), places_);
}

// Which window holds so many rows.
std::size_t TreeGrower::window_for(std::int64_t n_rows) const {
    const std::size_t wanted =
        plan_.columns_bynode > 0
            ? static_cast<std::size_t>(plan_.columns_bynode)
            : static_cast<std::size_t>(static_cast<double>(window_columns_.size()) *
                                       std::min(1.0, plan_.colsample_bynode));
    if (window_columns_.size() > kMostColumns * std::max<std::size_t>(1, wanted)) return 0;
    const auto row_bytes =
        static_cast<std::int64_t>(window_columns_.size()) + 8 * packed_.packing.n_planes() + 8;
    const std::int64_t n_bytes = n_rows * row_bytes, most = settings().window_bytes;
    return n_bytes <= most ? 2 : n_bytes <= kLargerWindow * most ? 1 : 0;
}

// Grows the tree below a node, whose rows are those of a window: they are the rows of the tree from
// `offset` on.
void TreeGrower::grow_window(std::size_t level, int number, std::int64_t offset) {
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
        if (!may_split(node_at(next))) continue;
        const std::size_t smaller = window_for(end - begin);
        if (smaller > level) {
            windows_[smaller].narrow(window, window_columns_, begin, end);
            grow_window(smaller, next, offset + begin);
            windows_[smaller].give_back(window, begin);
            continue;
        }
        if (!search_window(window, next, begin, end)) continue;
        make_children(next);
        const Node& node = node_at(next);
        const Decision& decision = node.split.decision;
        const auto missing = static_cast<Code>(mapper().missing_code(decision.feature));
        const std::int64_t middle = begin + window.divide(decision, missing, begin, end);
        node_at(node.left).n_rows = middle - begin;
        node_at(node.right).n_rows = end - middle;
        places_.push_back({offset + begin, offset + middle});
        places_.push_back({offset + middle, offset + end});
        waiting.push_back({node.right, middle, end});
        waiting.push_back({node.left, begin, middle});
    }
}

// Whether a node has a split, which is noted.
bool TreeGrower::search_window(RowWindow& window, int number, std::int64_t begin,
                               std::int64_t end) {
    window.look_at(begin, end);
    if (window.is_pure()) return false;
    window_lots_ = lots_of(key_, kDrawnStage, static_cast<std::uint64_t>(number));
    Node& node = node_at(number);
    const std::vector<int> columns = columns_for(node, number);
    node.histogram = window_histogram_;
    Split best;
    const std::int64_t work = 4 * (end - begin) * std::ssize(columns);
    if (const int n_threads = useful_threads(n_threads_, work); n_threads > 1) {
        std::vector<Split> by_column(columns.size());
        parallel_for(n_threads, std::ssize(columns), [&](std::int64_t i) {
            const auto at = static_cast<std::size_t>(i);
            scan_window(window, node, columns[at], by_column[at]);
        });
        for (const Split& split : by_column) take_better(split, best);
    } else {
        for (const int column : columns) scan_window(window, node, column, best);
    }
    if (!best.found() || !is_gain(best.gain, node.score, 0)) {
        for (const int column : further_columns(node, number, columns)) {
            scan_window(window, node, column, best);
            if (best.found() && is_gain(best.gain, node.score, 0)) break;
        }
    }
    if (best.found() && is_gain(best.gain, node.score, gain_to_grow_)) {
        node.split = best;
        note_left_sums(node, node.split);
    }
    node.histogram = -1;
    return node.split.found();
}

// Of a column of numbers with a random threshold: sums one side of it.
void TreeGrower::scan_drawn_side(const RowWindow& window, const Node& node, int feature,
                                 Split& best) const {
    const bool has_missing = mapper().has_missing(feature);
    const int last = drawn_bin(mapper().n_value_bins(feature), has_missing,
                               hash64(window_lots_, static_cast<std::uint64_t>(feature)));
    if (last < 0) return;
    const RowWindow::Sides sides =
        window.sum_sides(feature, static_cast<Code>(last),
                         static_cast<Code>(mapper().missing_code(feature)), has_missing);
    const Sums left = unpack(sides.left, window.packing()),
               missing = unpack(sides.missing, window.packing());
    // Most thresholds that small nodes draw have all their rows on one side.
    if (left.count == node.sums.count || left.count + missing.count == 0) return;
    ColumnScan scan = scan_bins(node, feature, {});
    scan.packing = &window.packing();
    take_drawn(scan, last, left, missing, best);
}

// Replaces `best` where a column has a larger gain.
void TreeGrower::scan_window(const RowWindow& window, const Node& node, int feature, Split& best) {
    if (n_outputs() == 1 && !plan_.is_category(feature) && plan_.extra_trees) {
        return scan_drawn_side(window, node, feature, best);
    }
    if (n_outputs() == 1 && !plan_.is_category(feature)) {
        Runs& runs = thread_runs();
        window.sum_runs(feature, mapper().n_bins(feature), runs);
        const bool missing =
            runs.places[static_cast<std::size_t>(runs.n) - 1] >= mapper().n_value_bins(feature);
        if (!missing) {
            ColumnScan scan = scan_bins(node, feature, {});
            scan.packing = &window.packing();
            const bool pairs = window.packing().n_planes() > 1;
            scan_runs(
                scan,
                {runs.places.data(), runs.first.data(), pairs ? runs.rest.data() : nullptr, runs.n},
                best);
            return;
        }
    }
    window.sum_bins(feature, layout_.of_feature(pool_.words(window_histogram_),
                                                packed_.packing.n_planes(), feature));
    if (n_outputs() > 1)
        scan_outputs(node, feature, best);
    else
        scan_one(scan_of(node, feature), best);
}

} // namespace ceiba
