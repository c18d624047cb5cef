// Split search: finds the best split of each new node of a tree, and moves the rows of split nodes.
//
// One implementation for each source of candidates:
//   histogram_splits.hpp   the edges of bins
//   exact_splits.hpp       all distinct values: bins first, then the promising ones value by value
//   sorted_splits.hpp      all distinct values, in presorted rows (large forests of exact trees)
//   approx_splits.hpp      quantiles proposed for each tree, or for each node
//   linear_splits.hpp      the edges of bins, by what linear models of the children gain
//
// The life of a search, for each tree:
//   1. pack() turns gradients into integers; then the tree has a root. start() prepares the search.
//   2. search() finds the splits of new nodes: the root, or the children of nodes that were split.
//   3. split() makes the children of nodes and moves their rows; forget() frees what is kept for
//      the children of a node that stays a leaf.
//   4. end() hands rows back to the exchange where the search moved them itself.
//
// What a search does not support stands in kUnsupported (split_search.cpp): a grower refuses such a
// plan when it is made.
#pragma once

#include "parallel/pool.hpp"
#include "rows/exchange.hpp"
#include "tree/column_choice.hpp"
#include "tree/growing_tree.hpp"

#include <span>
#include <string_view>
#include <vector>

namespace ceiba {

class SplitSearch {
  public:
    SplitSearch(GrowingTree& tree, ColumnChoice& columns, Exchange& exchange)
        : tree_(tree), columns_(columns), exchange_(exchange) {}
    virtual ~SplitSearch() = default;
    SplitSearch(const SplitSearch&) = delete;
    SplitSearch& operator=(const SplitSearch&) = delete;

    // One view for each output. Fills tree.packed.
    virtual void pack(std::span<const GradientView> views, const RowSelection& selection);
    virtual void start(const RowSelection& selection) = 0;
    // `nodes`: the root, or pairs of siblings. Sets Node::split where a node has one.
    virtual void search(std::span<const int> nodes) = 0;
    virtual void split(std::span<const int> batch);
    virtual void forget(int /*number*/) {}
    virtual void end() {}

  protected:
    // Sums that choose as unrounded ones would (choose_packing).
    virtual bool needs_fine_sums() const { return false; }
    // Sums may be centered (gradient/packing.hpp).
    virtual bool supports_centers() const { return false; }
    // Before rows move: gives the splits of a batch their thresholds.
    virtual void settle(std::span<const int> /*batch*/) {}
    // Once the decision on codes is with the shards: translates it for the tree.
    virtual void translate(Split& /*split*/) const {}
    virtual bool has_border(const Split& split) const = 0;
    virtual void hand_down(int /*number*/) {}

    GrowingTree& tree_;
    ColumnChoice& columns_;
    Exchange& exchange_;
};

// Replaces `best` by a split with a larger gain; ties go to the lowest column, whatever the order in
// which columns were scanned.
inline void take_better(const Split& split, Split& best) {
    if (!split.found()) return;
    if (split.gain > best.gain ||
        (split.gain == best.gain && best.found() && split.decision.feature < best.decision.feature))
        best = split;
}

// Scans columns one after the other, or several at the same time. scan(column, best) replaces `best`
// where the column has a larger gain.
template <class Scan>
void scan_columns(std::span<const int> columns, int n_threads, Split& best, Scan&& scan) {
    if (n_threads < 2) {
        for (const int column : columns) scan(column, best);
        return;
    }
    std::vector<Split> by_column(columns.size());
    parallel_for(n_threads, std::ssize(columns), [&](std::int64_t i) {
        const auto at = static_cast<std::size_t>(i);
        scan(columns[at], by_column[at]);
    });
    for (const Split& split : by_column) take_better(split, best);
}

} // namespace ceiba
