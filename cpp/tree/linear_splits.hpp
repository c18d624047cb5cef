// Split search by the gain of linear models of the children.
//
// The root has a constant, or the ridge of given columns; other nodes have the model that their
// parent's split fitted. Rows are packed at the model of their node before its histogram is summed, so
// a histogram serves its own node only and is not subtracted from.
#pragma once

#include "rows/linear_words.hpp"
#include "tree/histogram_splits.hpp"
#include "tree/linear_scorer.hpp"

#include <span>

namespace ceiba {

class LinearSplits final : public HistogramSplits {
  public:
    LinearSplits(GrowingTree& tree, ColumnChoice& columns, LocalExchange& exchange);

    void pack(std::span<const GradientView> views, const RowSelection& selection) override;
    void start(const RowSelection& selection) override;

  private:
    int n_planes() const override { return n_planes_; }
    bool keeps_histograms() const override { return false; }
    void before_sum(std::span<const Build> builds) override;
    void sum(std::span<const Build> builds, std::span<Found> found) override;
    void complete(int number) override { linear_.fit_children(number); }
    void hand_down(int number) override { linear_.hand_down(number); }
    LinearModel fit_root();
    LinearModel ridge_of_given(double gradient, double hessian);

    LinearScorer linear_;
    BinnedRegressors regressors_;
    int n_planes_; // at most
    MomentScales scales_;
};

} // namespace ceiba
