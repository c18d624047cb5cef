// Split search at proposed quantiles (split/approx.hpp).
//
// ApproxSplits proposes candidates for each tree, codes the rows by them and searches histograms;
// ApproxNodeSplits proposes candidates for each node, without histograms: those of a parent would
// have other bins.
#pragma once

#include "split/approx.hpp"
#include "tree/histogram_splits.hpp"

namespace ceiba {

class ApproxSplits final : public HistogramSplits {
  public:
    ApproxSplits(GrowingTree& tree, ColumnChoice& columns, LocalExchange& exchange,
                 ApproxSearch& approx);

    void start(const RowSelection& selection) override;

  private:
    bool supports_centers() const override { return false; }
    // Codes are those of this tree alone: in the tree, a decision speaks of ranks.
    void translate(Split& split) const override { approx_.settle(split); }
    bool has_border(const Split& split) const override;

    ApproxSearch& approx_;
};

class ApproxNodeSplits final : public SplitSearch {
  public:
    ApproxNodeSplits(GrowingTree& tree, ColumnChoice& columns, LocalExchange& exchange,
                     ApproxSearch& approx)
        : SplitSearch(tree, columns, exchange), local_(exchange), approx_(approx) {}

    void start(const RowSelection& selection) override;
    void search(std::span<const int> nodes) override;

  private:
    struct Task {
        int node, feature;
        Split best;
    };
    void choose_split(std::span<const Task> columns_of_node);
    void scan(int number, int feature, Split& best) const;
    bool has_border(const Split& split) const override;

    LocalExchange& local_;
    ApproxSearch& approx_;
};

} // namespace ceiba
