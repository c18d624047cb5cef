// The grower: gradients in, trees out.
//
// The life of a grower:
//   1. It is made for a table, a plan and weights; it keeps its buffers from round to round.
//   2. grow() grows the K trees of a round for each sample of rows, several trees at a time if there
//      are enough threads. Or adopt() takes existing trees, to refit their leaves.
//   3. The result holds the trees and, until the next call, the place of every row. Leaves have no
//      values yet: leaf/grown_trees.hpp fits them.
#pragma once

#include "data/coded/binned.hpp"
#include "data/coded/ranked.hpp"
#include "data/regressors.hpp"
#include "gradient/quantize.hpp"
#include "rows/exchange.hpp"
#include "tree/node.hpp"
#include "tree/plan.hpp"
#include "tree/tree_arrays.hpp"
#include "tree/tree_grower.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace ceiba {

// What trees are grown on: a table in this process, or rows that an exchange reaches. Neither: only
// trees that are there can be adopted.
struct GrowerTable {
    std::int64_t n_rows = 0;
    std::shared_ptr<const BinnedMatrix> binned;
    std::shared_ptr<const RankedColumns> ranked;  // of the same table, for exact and approx
    bool has_codes = true;                        // no: trees must propose candidates from `ranked`
    std::shared_ptr<const Regressors> regressors; // of lines in leaves
    // The same rows and bins once more, or none: leaves have the rows that are in them here.
    std::shared_ptr<const BinnedMatrix> of_leaves;
    std::shared_ptr<const BinMapper> mapper;                  // of rows that are elsewhere ...
    std::function<std::unique_ptr<Exchange>()> make_exchange; // ... and the way to them
};

// The rows that the K trees of one round, or of one member of a round that grows several of each
// tree, are grown on.
struct GrowSample {
    bool all_rows = true;
    std::span<const std::int32_t> rows;  // increasing; ignored with all_rows
    std::span<const double> multipliers; // one for each selected row, or none
    std::uint64_t round = 0;
    std::uint64_t member = 0;      // of the round
    std::span<const double> noise; // the sigma of each tree (split/ranking.hpp), or none
    // Multipliers say how often a row stands there (bootstraps); otherwise they are no numbers of
    // rows, even where they happen to be whole.
    bool repeats = true;
    // Of rows that are elsewhere, with their multipliers: what is known about their weights.
    std::optional<WeightFacts> facts;
};

class Grower {
  public:
    Grower(GrowerTable table, const GrowPlan& plan, std::vector<double> weights, int n_threads);
    Grower(const Grower&) = delete;
    Grower& operator=(const Grower&) = delete;

    // One tree for each sample and view, those of a sample one after the other; with vector leaves,
    // one for each sample.
    void grow(std::span<const GradientView> views, std::span<const GrowSample> samples);
    // In the place of grow(): trees that are there, with the leaf that each row is in,
    // leaves[row * n_trees + tree]. Their leaves can then be fitted to these rows. Outputs that
    // share their trees share a view.
    void adopt(const TreeArrays& trees, std::span<const std::int32_t> leaves,
               std::span<const GradientView> views);

    std::int64_t n_rows() const { return table_.n_rows; }
    // Whether decisions speak of bins; not where trees are only adopted.
    bool has_bins() const { return table_.binned || table_.mapper; }
    const BinMapper& mapper() const {
        return table_.binned ? table_.binned->mapper() : *table_.mapper;
    }
    const RankedColumns* ranked() const { return table_.ranked.get(); }
    const BinnedMatrix* table_of_leaves() const { return table_.of_leaves.get(); }
    const Regressors* regressors() const { return table_.regressors.get(); }
    const GrowPlan& plan() const { return plan_; }
    // Of the rows that a tree was grown on.
    const WeightFacts& weights(std::size_t tree) const {
        return facts_[tree / (trees_.size() / facts_.size())];
    }
    int n_threads() const { return n_threads_; }
    // Whether leaves are to be fitted to all rows of the table, and trees were grown on some.
    bool takes_all_rows(std::size_t sample) const { return takes_all_rows_[sample] != 0; }
    std::uint64_t n_grown() const { return n_grown_; } // counts calls of grow() and adopt()
    std::vector<GrownTree>& trees() { return trees_; }

  private:
    std::size_t trees_of_sample(std::size_t n_views) const {
        return plan_.vector_leaves ? 1 : n_views;
    }
    void check_table() const;
    void select(std::span<const GrowSample> samples);
    void take_all_rows(std::span<const GradientView> views);

    GrowerTable table_;
    GrowPlan plan_;
    std::vector<double> weights_;
    WeightFacts all_facts_; // of all rows, without multipliers
    // Of each sample:
    std::vector<RowSelection> selections_;
    std::vector<Buffer<double>> multiplied_;
    std::vector<WeightFacts> facts_;
    std::vector<char> takes_all_rows_;
    int n_threads_;
    std::uint64_t n_grown_ = 0;
    std::vector<std::unique_ptr<TreeGrower>> growers_; // one for each tree that grows at a time
    std::vector<GrownTree> trees_;
};

} // namespace ceiba
