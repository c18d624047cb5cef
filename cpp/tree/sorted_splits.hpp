// Split search at every distinct value, in presorted rows (split/sorted_nodes.hpp): nodes have units
// of their own.
#pragma once

#include "rows/local_exchange.hpp"
#include "split/sorted_nodes.hpp"
#include "tree/split_search.hpp"

#include <memory>
#include <vector>

namespace ceiba {

class SortedSplits final : public SplitSearch {
  public:
    SortedSplits(GrowingTree& tree, ColumnChoice& columns, LocalExchange& exchange,
                 std::shared_ptr<const RankedColumns> ranked)
        : SplitSearch(tree, columns, exchange), local_(exchange), ranked_(std::move(ranked)) {}

    // Whether the trees of a plan with exact splits grow in presorted rows.
    static bool serves(const GrowingTree& tree, std::span<const GradientView> views);

    void pack(std::span<const GradientView> views, const RowSelection& selection) override;
    void start(const RowSelection& selection) override;
    void search(std::span<const int> nodes) override;
    void split(std::span<const int> batch) override;
    void end() override { local_.take_rows(sorted_.rows(), places_); }

  private:
    bool needs_fine_sums() const override { return true; }
    bool has_border(const Split&) const override { return true; } // there are no bounds
    void search_node(int number);

    LocalExchange& local_;
    std::shared_ptr<const RankedColumns> ranked_;
    SortedNodes sorted_;
    std::vector<GradientView> views_;
    std::vector<RowPlace> places_; // of the rows of each node
};

} // namespace ceiba
