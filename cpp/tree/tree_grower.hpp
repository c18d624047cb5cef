// Grows one tree at a time, and keeps its buffers from tree to tree.
//
// The life of a tree:
//   1. pack(): the gradients of the selected rows become integers, behind the exchange.
//   2. The root is searched; the frontier says which nodes are split next. A batch of them is split
//      (split_nodes), and the children are searched (tree_search.cpp): ask the exchange for the
//      histograms of the smaller ones, subtract them from the parents', find the best splits.
//   3. When the frontier is empty, or the plan's limits are reached, the tree is pruned and every row
//      gets its leaf. Leaves have no values yet: leaf/constant.hpp fits them.
#pragma once

#include "data/coded/binned.hpp"
#include "rows/histogram.hpp"
#include "rows/local_exchange.hpp"
#include "rows/row_window.hpp"
#include "rows/sparse_lists.hpp"
#include "sample/columns.hpp"
#include "split/approx.hpp"
#include "split/exact.hpp"
#include "split/linear.hpp"
#include "split/sorted_nodes.hpp"
#include "tree/frontier.hpp"
#include "tree/interactions.hpp"
#include "tree/node.hpp"
#include "tree/plan.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

namespace ceiba {

class TreeGrower {
  public:
    // Rows in this process. With ranked columns every distinct value is a candidate, or those that
    // the plan's sketch_eps asks for; without, the edges of bins are.
    TreeGrower(const BinnedMatrix& binned, const std::shared_ptr<const RankedColumns>& ranked,
               const GrowPlan& plan);
    // Rows that are elsewhere.
    TreeGrower(const BinMapper& mapper, std::unique_ptr<Exchange> exchange, const GrowPlan& plan);

    // `views`: one, or those of all outputs that share the tree. `noise`: the sigma of
    // split/ranking.hpp.
    void grow(std::span<const GradientView> views, const RowSelection& selection,
              const ColumnKey& key, double noise, int n_threads, GrownTree& tree);

  private:
    struct Found { // the search of one node: its columns, and the best split of each group
        int node;
        std::vector<int> columns;
        std::vector<Split> by_group;
        Split best;
        std::vector<std::uint8_t> hopeful; // of each column, with drop_hopeless_columns
    };
    // A histogram that is summed, and the sibling whose histogram is the parent's minus it (-1:
    // none).
    struct Build {
        int node, sibling;
    };

    Node& node_at(int number) { return (*nodes_)[static_cast<std::size_t>(number)]; }
    const Node& node_at(int number) const { return (*nodes_)[static_cast<std::size_t>(number)]; }
    // Of the bins of this tree.
    const BinMapper& mapper() const { return approx_ ? approx_->binned().mapper() : *mapper_; }
    int n_planes() const { return linear_ ? linear_->n_planes : packed_.packing.n_planes(); }
    Planes planes_of_group(const Node& node, int group) {
        return layout_.of_group(pool_.words(node.histogram), n_planes(), group);
    }

    int n_outputs() const { return 1 + static_cast<int>(more_packed_.size()); }
    const Packed& packed(int output) const {
        return output == 0 ? packed_ : more_packed_[static_cast<std::size_t>(output) - 1];
    }
    const Sums& sums_of(const Node& node, int output) const {
        return output == 0 ? node.sums : node.more_sums[static_cast<std::size_t>(output) - 1];
    }

    void pack(std::span<const GradientView> views, const RowSelection& selection);
    Packed pack_one(const GradientView& view, const RowSelection& selection);
    bool centers() const;
    void choose_columns(const RowSelection& selection);
    void make_root(bool sorted);
    void start_exact();
    void grow_nodes();
    void find_and_add(std::span<const int> level, std::span<const Build> builds,
                      std::int64_t leaves_left, Frontier& frontier);
    void give_back_histogram(Node& node);
    double score_of(const Node& node) const;
    double score_of(const Node& node, int output) const;
    double step_of(const Sums& sums, const Bounds& bounds) const;
    double hessian_of(const Node& node) const;
    ChildBounds bounds_below(int number) const;
    bool enough_rows(const Node& node) const;
    bool may_split(const Node& node) const;
    void plan_builds(int parent, std::vector<Build>& builds);
    void settle_thresholds(std::span<const int> batch);
    void split_nodes(std::span<const int> batch);
    void make_children(int number);

    // tree_windows.cpp: trees that grow to their last rows
    bool grows_in_windows() const;
    void grow_in_windows();
    std::size_t window_for(std::int64_t n_rows) const;
    void grow_window(std::size_t level, int number, std::int64_t offset);
    bool search_window(RowWindow& window, int number, std::int64_t begin, std::int64_t end);
    void scan_drawn_side(const RowWindow& window, const Node& node, int feature,
                         Split& best) const;
    void scan_window(const RowWindow& window, const Node& node, int feature, Split& best);

    // tree_sorted.cpp: trees of exact splits whose nodes have units of their own
    bool grows_sorted(std::span<const GradientView> views) const;
    void grow_sorted(std::span<const GradientView> views, const RowSelection& selection);
    void divide_sorted(int number);
    void search_sorted(int number, Frontier& frontier);

    // tree_search.cpp
    void search(std::span<const Build> builds);
    void search_by_node(std::span<const Build> builds);
    void search_level(std::span<const int> level, std::span<const Build> builds);
    Split best_of_level(std::span<const int> level, int feature);
    Split best_set_of_level(std::span<const int> level, int feature);
    Split best_drawn_of_level(std::span<const int> level, int feature);
    std::uint64_t drawn_lot(const Node& node, int feature) const;
    void add_gains(const Node& node, int feature, double* right, double* left);

    // tree_outputs.cpp: what several outputs share
    void add_vector_gains(const Node& node, int feature, double* right, double* left,
                          double invalid);
    void scan_outputs(const Node& node, int feature, Split& best);
    std::vector<ColumnScan> scans_of(const Node& node, int feature);
    void note_left_sums(const Node& node, Split& split);
    void share_split(std::span<const int> level, std::span<const int> columns, Split& shared);
    void sum(std::span<const Build> builds, const std::function<void(int, int)>& summed);
    std::vector<int> columns_for(const Node& node, int number) const;
    std::vector<int> drawn_columns(const Node& node, int number) const;
    std::vector<int> allowed_columns(const Node& node, int number) const;
    std::vector<int> further_columns(const Node& node, int number,
                                     std::span<const int> drawn) const;
    void search_further(Found& found);
    void leave_out_constants(std::vector<int>& columns) const;

    // tree_scan.cpp
    static void take_better(const Split& split, Split& best);
    ColumnScan scan_of(const Node& node, int feature, int output = 0);
    // The same for a column that may be a list; `bins`: room for its bins.
    ColumnScan scan_any(const Node& node, int feature, ListBins& bins);
    ColumnScan scan_bins(const Node& node, int feature, PlanesOf<const std::uint64_t> bins,
                         int output = 0) const;
    ExactSearch::ScanOf histogram_of();
    void scan_group(Found& found, int group);
    void scan_one(const ColumnScan& scan, Split& best) const;
    bool scan_hopeful(const Node& node, const ColumnScan& scan, Split& best) const;
    void scan_lists(std::vector<Found>& found);
    void scan_pairs(Found& found, PairColumns& pairs, const std::size_t* at, Split& best);
    // Of a node, by the gain of the best split of a column: nodes below may still split it.
    bool is_hopeful(const Node& node, double gain) const {
        return gain > hopeless_gain(node.score, gain_to_grow_);
    }
    void note_hopeless(std::span<const int> columns, std::span<const std::uint8_t> hopeful,
                       Node& node) const;
    void find_pairs();
    bool is_pair(int feature) const { return is_pair_[static_cast<std::size_t>(feature)] != 0; }
    bool is_zero_first(int feature) const;
    bool estimates_rows() const; // tree_grower.cpp
    // tree_ranking.cpp
    bool ranks() const { return rule_.cosine || noise_.sigma > 0; }
    Split best_ranked(std::span<const int> level, int feature);
    Split best_ranked_set(std::span<const int> level, int feature);
    double gain_of_decision(const Node& node, const Decision& decision);
    bool is_worth(std::span<const int> level, double level_score) const;

    // tree_linear.cpp: splits that gain by linear models
    struct LinearNode {
        LinearModel model;
        Basis basis;
        LinearModel left, right; // of its children, when its split is found
    };
    struct LinearState {
        BinnedRegressors regressors;
        int n_planes = 2; // at most
        MomentScales scales;
        MomentUnits units;
        std::vector<LinearNode> nodes; // by number
    };
    void start_linear();
    Packed pack_linear_rows(const Measured& measured, const GradientView& view,
                            const WeightFacts& weights);
    void hand_down(int number);
    void fit_root();
    void pack_nodes(std::span<const Build> builds);
    LinearNode& linear_at(int number) { return linear_->nodes[static_cast<std::size_t>(number)]; }
    bool adds_regressor(const LinearModel& model, int feature) const;
    LinearScan linear_scan(const Node& node, int feature);
    void scan_linear_columns(std::span<Found> found);
    void scan_linear_column(const Node& node, int feature, Split& best);
    void add_linear_gains(const Node& node, int feature, double* right, double* left);
    double linear_gain(const Node& node, const Decision& decision);
    void fit_children_of(int number);
    LinearModel changed(const LinearNode& node, int feature, const Change& change) const;

    ExactSearch::NodeView exact_view(int number, std::span<const int> columns, Split& best) const;

    GrowPlan plan_;
    GainRule rule_;
    std::unique_ptr<ApproxSearch> approx_; // none: candidates are not proposed
    const BinMapper* mapper_;
    std::unique_ptr<Exchange> exchange_;
    LocalExchange* local_ = nullptr;      // the same, where rows are in this process
    std::unique_ptr<ExactSearch> exact_;  // none: thresholds are edges of bins
    std::unique_ptr<SortedNodes> sorted_; // none: no tree was grown in sorted rows
    std::unique_ptr<SparseLists> lists_;  // none: no column is a list
    std::unique_ptr<LinearState> linear_; // none: the gain is that of constants
    Interactions interactions_;
    HistogramLayout layout_;
    HistogramPool pool_;
    std::vector<std::uint8_t> is_pair_; // by column: two bins of values, as in a one-hot table

    // of the tree in growth
    Packed packed_;
    std::vector<Packed> more_packed_; // of the second output and those after it
    std::vector<Node>* nodes_ = nullptr;
    ColumnKey key_;
    Noise noise_;
    int n_threads_ = 1;
    double gain_to_grow_ = 0;
    std::vector<int> tree_columns_, groups_;
    std::vector<RowWindow> windows_;
    std::vector<int> window_columns_; // that have codes there
    std::vector<RowPlace> places_;    // of the rows of each node, in the first window
    int window_histogram_ = -1;       // of the node that is searched
    std::uint64_t window_lots_ = 0;   // the same: of what it draws
};

} // namespace ceiba
