// Grows one tree at a time, and keeps its buffers from tree to tree.
//
// The parts of a grower, each in a file of its own:
//   growing_tree.hpp    the nodes of the tree that grows, and its limits
//   column_choice.hpp   which columns a node may split
//   split_search.hpp    finds splits and moves rows; one implementation for each source of candidates
//   growth_loop.hpp     which nodes are split next; window_growth.hpp for trees without limits
//
// The life of a tree:
//   1. The search packs the gradients of the selected rows behind the exchange; the tree has a root.
//   2. A growth loop splits nodes until the frontier is empty or a limit is reached.
//   3. The tree is pruned and every row gets its leaf. Leaves have no values yet:
//      leaf/constant.hpp fits them.
#pragma once

#include "data/coded/binned.hpp"
#include "rows/local_exchange.hpp"
#include "split/approx.hpp"
#include "tree/search_limits.hpp"
#include "tree/sorted_splits.hpp"
#include "tree/split_search.hpp"
#include "tree/window_growth.hpp"

#include <memory>
#include <span>

namespace ceiba {

class TreeGrower {
  public:
    // Rows in this process. With ranked columns every distinct value is a candidate, or those that
    // the plan's sketch_eps asks for; without, the edges of bins are.
    TreeGrower(const BinnedMatrix& binned, const std::shared_ptr<const RankedColumns>& ranked,
               const GrowPlan& plan);
    // Rows that are elsewhere.
    TreeGrower(const BinMapper& mapper, std::unique_ptr<Exchange> exchange, const GrowPlan& plan);

    // `views`: one, or those of all outputs that share the tree. `noise`: the sigma of
    // split/ranking.hpp.
    void grow(std::span<const GradientView> views, const RowSelection& selection,
              const ColumnKey& key, double noise, int n_threads, GrownTree& tree);

  private:
    const BinMapper& mapper() const { return approx_ ? approx_->binned().mapper() : *mapper_; }
    void make_search(const std::shared_ptr<const RankedColumns>& ranked);
    bool estimates_rows() const;

    SearchFacts facts_;
    std::unique_ptr<ApproxSearch> approx_; // none: candidates are not proposed
    const BinMapper* mapper_;
    std::unique_ptr<Exchange> exchange_;
    LocalExchange* local_ = nullptr; // the same, where rows are in this process
    GrowingTree tree_;
    ColumnChoice columns_;
    std::unique_ptr<SplitSearch> search_;
    std::unique_ptr<SortedSplits> sorted_;  // none: splits are not exact
    std::unique_ptr<WindowGrowth> windows_; // none: the search needs histograms of nodes
};

} // namespace ceiba
