// Growth in windows: the loop for trees that grow to their last rows, depth first.
//
// A node is searched when its turn comes, in a window of rows (rows/row_window.hpp), and only by the
// columns that it may split. No histograms wait for children, so a tree of any number of leaves needs
// no more memory than its nodes. Node numbers and splits are those of grow_nodes() with the depthfirst
// policy, bit for bit.
#pragma once

#include "rows/row_window.hpp"
#include "tree/histogram_splits.hpp"

#include <array>
#include <cstdint>
#include <vector>

namespace ceiba {

class WindowGrowth {
  public:
    WindowGrowth(GrowingTree& tree, const ColumnChoice& columns, LocalExchange& exchange,
                 HistogramSplits& search)
        : tree_(tree), columns_(columns), local_(exchange), search_(search) {}

    // Whether windows serve a tree, whose search is HistogramSplits.
    bool serves() const;
    // Grows the tree below its root.
    void grow();

  private:
    std::size_t window_for(std::int64_t n_rows) const;
    void grow_window(std::size_t level, int number, std::int64_t offset);
    bool search_node(RowWindow& window, int number, std::int64_t begin, std::int64_t end);
    void scan_drawn_side(const RowWindow& window, const Node& node, int feature, Split& best) const;
    void scan(const RowWindow& window, const Node& node, int feature, Split& best) const;

    GrowingTree& tree_;
    const ColumnChoice& columns_;
    LocalExchange& local_;
    HistogramSplits& search_;
    std::array<RowWindow, 3> windows_;
    std::vector<int> own_columns_; // that have codes in the smaller windows
    std::vector<RowPlace> places_; // of the rows of each node, in the first window
    int histogram_ = -1;           // of the node that is searched
    std::uint64_t lots_ = 0;       // random numbers of the same node
};

} // namespace ceiba
