// Column scorers: how candidates of a column are scored, in one node or summed over a level.
//
//   ConstantScorer   the gain of constant leaves of one output (this file)
//   VectorScorer     the sum of the gains of several outputs (vector_scorer.hpp)
//   RankedScorer     by cosine, or with noise (ranked_scorer.hpp)
//   LinearScorer     the gain of linear models (linear_scorer.hpp)
//
// A search scans columns with a scorer; threads may scan different columns at the same time.
#pragma once

#include "tree/node_columns.hpp"
#include "tree/split_search.hpp"

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace ceiba {

class ColumnScorer {
  public:
    ColumnScorer(const GrowingTree& tree, const NodeColumns& scans) : tree_(tree), scans_(scans) {}
    virtual ~ColumnScorer() = default;
    ColumnScorer(const ColumnScorer&) = delete;
    ColumnScorer& operator=(const ColumnScorer&) = delete;

    // Replaces `best` where a column of a node has a larger gain.
    virtual void scan(const Node& node, int feature, Split& best) const = 0;
    // The same for the `columns` of a group whose histogram is complete. `hopeful`: empty, or receives
    // for each of `columns` whether nodes below may still split it.
    virtual void scan_group(const Node& node, std::span<const int> group,
                            std::span<const int> columns, std::span<std::uint8_t> hopeful,
                            Split& best) const;
    // The best candidate of a column, by the sum of the gains of all nodes of a level.
    virtual Split best_of_level(std::span<const int> level, int feature) const;
    // What a node gains by the decision of its level: 0 where a child violates a minimum.
    virtual double gain_of(const Node& node, const Decision& decision) const;
    // Whether a level is split. `gain`: the sum over its nodes.
    virtual bool accepts(double gain, double level_score) const {
        return is_gain(gain, level_score, tree_.gain_to_grow);
    }
    // Completes a split that was found in a node by itself, before its gain is judged.
    virtual void judge(const Node& /*node*/, Split& /*split*/) const {}
    // Adds the sums of further outputs that a split sends left.
    virtual void add_left_sums(const Node& /*node*/, Split& /*split*/) const {}

  protected:
    // Adds what the candidates of a column of numbers gain in a node: 0 where a child violates a
    // minimum.
    virtual void add_gains(const Node& node, int feature, double* right, double* left) const = 0;
    virtual Split best_set_of_level(std::span<const int> level, int feature) const;
    virtual Split best_drawn_of_level(std::span<const int> level, int feature) const;

    // work(feature, place among `columns`) for the columns of a group; both lists are increasing.
    template <class Work>
    static void for_each_of(std::span<const int> group, std::span<const int> columns, Work&& work) {
        auto at = std::lower_bound(columns.begin(), columns.end(), group.front());
        for (const int feature : group) {
            while (at != columns.end() && *at < feature) ++at;
            if (at == columns.end()) break;
            if (*at == feature) work(feature, static_cast<std::size_t>(at - columns.begin()));
        }
    }

    const GrowingTree& tree_;
    const NodeColumns& scans_;
};

class ConstantScorer : public ColumnScorer {
  public:
    using ColumnScorer::ColumnScorer;

    // `scans_pairs`: columns of two bins may be scanned many at once.
    void start(bool scans_pairs);
    void scan(const Node& node, int feature, Split& best) const override {
        scan(scans_.of(node, feature), best);
    }
    void scan(const ColumnScan& scan, Split& best) const;
    // scan(); returns whether the column is hopeful.
    bool scan_hopeful(const Node& node, const ColumnScan& scan, Split& best) const;
    void scan_group(const Node& node, std::span<const int> group, std::span<const int> columns,
                    std::span<std::uint8_t> hopeful, Split& best) const override;

  protected:
    void add_gains(const Node& node, int feature, double* right, double* left) const override;

  private:
    void scan_pairs(const Node& node, PairColumns& pairs, const std::size_t* places,
                    std::span<std::uint8_t> hopeful, Split& best) const;

    std::vector<std::uint8_t> is_pair_; // by column: two bins of values, as in a one-hot table
};

} // namespace ceiba
