// Ranks candidates by the cosine, or with noise on their gains (split/ranking.hpp), for trees of one
// output.
#pragma once

#include "tree/column_scorer.hpp"

namespace ceiba {

class RankedScorer final : public ConstantScorer {
  public:
    using ConstantScorer::ConstantScorer;

    void scan(const Node& node, int feature, Split& best) const override;
    void scan_group(const Node& node, std::span<const int> group, std::span<const int> columns,
                    std::span<std::uint8_t> hopeful, Split& best) const override {
        ColumnScorer::scan_group(node, group, columns, hopeful, best);
    }
    Split best_of_level(std::span<const int> level, int feature) const override;
    bool accepts(double gain, double level_score) const override;
    // Replaces the rank of a split by its gain.
    void judge(const Node& node, Split& split) const override;

  private:
    Split best_set_of_level(std::span<const int> level, int feature) const override;
};

} // namespace ceiba
