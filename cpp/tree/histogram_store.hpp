// Histogram store: the histograms of the nodes that may still be split.
//
// A store knows where the bins of columns lie (layout), keeps histograms in a pool, asks the exchange
// for the sums of new nodes and subtracts them from their parents'. Columns that are lists
// (rows/sparse_lists.hpp) have no bins in the layout; their entries follow the nodes here.
//
// The life of a store, for each tree:
//   1. start() selects the groups of columns that are summed; start_lists() makes the root's lists.
//   2. plan_sums() decides which children of a split node are summed, and which take what is left of
//      the parent's histogram; sum() does it.
//   3. give_back() and drop() free what is kept for a node.
#pragma once

#include "rows/histogram.hpp"
#include "rows/local_exchange.hpp"
#include "rows/sparse_lists.hpp"
#include "tree/growing_tree.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

namespace ceiba {

// A histogram that is summed, and the sibling whose histogram is the parent's minus it (-1: none).
struct Build {
    int node, sibling;
};

class HistogramStore {
  public:
    // `local`: the same exchange where rows are in this process, or null.
    HistogramStore(GrowingTree& tree, Exchange& exchange, LocalExchange* local);

    // The codes of rows have these meanings from now on.
    void lay_out(const BinMapper& mapper);
    void start(const std::vector<int>& columns, int n_planes);
    void start_lists(const RowSelection& selection, const std::vector<int>& columns);

    void plan_sums(int parent, std::vector<Build>& builds);
    // Calls summed(build, group) when a group of both nodes is complete, from any thread.
    void sum(std::span<const Build> builds, const std::function<void(int, int)>& summed);
    void give_back(Node& node);
    void drop(int number); // what is kept for the children of a node
    bool crowded() const { return pool_.crowded(); }
    void check_room(std::int64_t n_more) const { pool_.check_room(n_more); }
    int take() { return pool_.take(); }

    bool has(int feature) const { return layout_.has(feature); }
    std::int64_t n_bins() const { return layout_.n_bins(); }
    std::int64_t first_bin(int feature) const { return layout_.first_bin(feature); }
    const ColumnGroup& group(int number) const {
        return exchange_.groups()[static_cast<std::size_t>(number)];
    }
    std::size_t n_groups() const { return exchange_.groups().size(); }
    Planes of_feature(int histogram, int feature) {
        return layout_.of_feature(pool_.words(histogram), n_planes_, feature);
    }
    const SparseLists* lists() const { return lists_.get(); }

  private:
    Planes of_group(int number, int group) {
        return layout_.of_group(pool_.words(tree_.at(number).histogram), n_planes_, group);
    }

    GrowingTree& tree_;
    Exchange& exchange_;
    LocalExchange* local_;
    std::unique_ptr<SparseLists> lists_; // none: no column is a list
    HistogramLayout layout_;
    HistogramPool pool_;
    int n_planes_ = 1;
    std::vector<int> groups_; // that hold columns of the tree
};

} // namespace ceiba
