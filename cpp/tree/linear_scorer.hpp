// Scores splits by what linear models of the children gain (gradient/linear_model.hpp, split/linear.hpp).
//
// Every node has a model. The scorer keeps the models and the units of the moments, scans columns, and
// fits the models of the children once a node has its split.
#pragma once

#include "rows/linear_words.hpp"
#include "split/linear.hpp"
#include "tree/column_scorer.hpp"

#include <vector>

namespace ceiba {

struct LinearNode {
    LinearModel model;
    Basis basis;
    LinearModel left, right; // of its children, when its split is found
};

class LinearScorer final : public ColumnScorer {
  public:
    using ColumnScorer::ColumnScorer;

    void scan(const Node& node, int feature, Split& best) const override;
    double gain_of(const Node& node, const Decision& decision) const override {
        return std::max(0.0, linear_gain_of(scan_of(node, decision.feature), decision));
    }
    // While the histogram of the node exists.
    void fit_children(int number);
    void hand_down(int number);

    LinearNode& at(int number) { return nodes[static_cast<std::size_t>(number)]; }

    MomentUnits units;
    std::vector<LinearNode> nodes; // by number

  private:
    void add_gains(const Node& node, int feature, double* right, double* left) const override;
    Split best_set_of_level(std::span<const int> level, int feature) const override;
    LinearScan scan_of(const Node& node, int feature) const;
    bool adds_regressor(const LinearModel& model, int feature) const;
    LinearModel changed(const LinearNode& node, int feature, const Change& change) const;
};

} // namespace ceiba
