// Split search at every distinct value (split/exact.hpp), after the ordinary search in histograms.
#pragma once

#include "split/exact.hpp"
#include "tree/histogram_splits.hpp"

#include <memory>

namespace ceiba {

class ExactSplits final : public HistogramSplits {
  public:
    ExactSplits(GrowingTree& tree, ColumnChoice& columns, LocalExchange& exchange,
                std::shared_ptr<const RankedColumns> ranked);

    void start(const RowSelection& selection) override;

  private:
    bool needs_fine_sums() const override { return true; }
    bool supports_centers() const override { return false; }
    bool notes_hopeless() const override { return false; }
    void refine(std::span<Found> found) override;
    void refine_level(std::span<const int> level, std::span<const int> columns, double level_score,
                      Split& shared) override;
    void share(int number, const Split& shared, std::span<const int> columns) override;
    void complete(int) override {} // the search knows the sums of all outputs
    // Thresholds between the neighboring values of the rows that a split divides.
    void settle(std::span<const int> batch) override;
    bool has_border(const Split& split) const override;

    ExactSearch::NodeView view_of(int number, std::span<const int> columns, Split& best) const;
    ExactSearch::ScanOf histogram_of() const;

    ExactSearch exact_;
};

} // namespace ceiba
