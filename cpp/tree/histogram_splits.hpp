// Split search in histograms: the candidates are the edges of bins.
//
// Each node finds its own best split, or all nodes of a symmetric level share one. Histograms come
// from a HistogramStore, gains from a ColumnScorer. Searches with other candidates or gains derive
// from this one and replace single steps.
#pragma once

#include "rows/local_exchange.hpp"
#include "tree/ranked_scorer.hpp"
#include "tree/split_search.hpp"
#include "tree/vector_scorer.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace ceiba {

class HistogramSplits : public SplitSearch {
  public:
    // `local`: the same exchange where rows are in this process, or null.
    HistogramSplits(GrowingTree& tree, ColumnChoice& columns, const BinMapper& mapper,
                    Exchange& exchange, LocalExchange* local);

    void start(const RowSelection& selection) override;
    void search(std::span<const int> nodes) override;
    void forget(int number) override { store_.drop(number); }
    bool has_border(const Split& split) const override;

    // For growth in windows, which fills the bins of single columns itself.
    HistogramStore& store() { return store_; }
    const NodeColumns& scans() const { return scans_; }
    const ColumnScorer& scorer() const { return *scorer_; }
    const ConstantScorer& constants() const { return constants_; }

  protected:
    struct Found { // the search of one node
        int node = -1;
        bool searched = false;
        std::vector<int> columns;
        std::vector<Split> by_group; // the best split of each group of columns
        Split best;
        std::vector<std::uint8_t> hopeful; // of each column, with drop_hopeless_columns
    };

    // The codes of rows have these meanings from now on.
    void use_bins(const BinMapper& mapper, bool scans_pairs, bool needs_value = false);
    bool supports_centers() const override { return true; }
    virtual int n_planes() const { return tree_.packing().n_planes(); }
    virtual bool notes_hopeless() const;
    virtual void before_sum(std::span<const Build> /*builds*/) {}
    virtual void sum(std::span<const Build> builds, std::span<Found> found);
    // Looks for better splits than those at the edges of bins.
    virtual void refine(std::span<Found> /*found*/) {}
    virtual void refine_level(std::span<const int> /*level*/, std::span<const int> /*columns*/,
                              double /*level_score*/, Split& /*shared*/) {}
    // What the split of a level means for one of its nodes that has rows.
    virtual void share(int number, const Split& shared, std::span<const int> columns);
    // The node has its split, and still its histogram.
    virtual void complete(int number);
    virtual bool keeps_histograms() const { return true; }

    HistogramStore store_;
    NodeColumns scans_;
    LocalExchange* local_;
    ColumnScorer* scorer_ = nullptr; // of this tree

  private:
    void search_nodes(std::span<const Build> builds);
    void search_further(Found& found);
    void scan_lists(std::span<Found> found);
    void search_level(std::span<const int> level, std::span<const Build> builds);
    void share_split(std::span<const int> level, std::span<const int> columns, Split& shared);

    ConstantScorer constants_;
    VectorScorer vectors_;
    RankedScorer ranked_;
};

} // namespace ceiba
