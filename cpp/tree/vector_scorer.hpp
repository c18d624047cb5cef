// Scores splits of trees whose leaves have several outputs: the gain is the sum over the outputs.
#pragma once

#include "tree/column_scorer.hpp"

namespace ceiba {

class VectorScorer final : public ColumnScorer {
  public:
    using ColumnScorer::ColumnScorer;

    void scan(const Node& node, int feature, Split& best) const override;
    void add_left_sums(const Node& node, Split& split) const override;

  private:
    void add_gains(const Node& node, int feature, double* right, double* left) const override {
        add_gains(node, feature, right, left, 0.0);
    }
    // `invalid` is added where a child violates a minimum for one of the outputs.
    void add_gains(const Node& node, int feature, double* right, double* left,
                   double invalid) const;
};

} // namespace ceiba
