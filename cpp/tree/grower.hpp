// The grower: gradients in, trees out.
//
// The life of a grower:
//   1. It is made for a binned table, a plan and weights; it keeps its buffers from round to round.
//   2. grow() quantizes the gradients of each of the K trees of a round and grows them: ask the
//   exchange for histograms,
//      find splits, hand them back, until the frontier is empty or the plan's limits are reached.
//   3. The result holds the trees and, until the next grow(), the leaf of every row. Leaves have no
//   values yet:
//      leaf/constant.hpp fits them.
#pragma once

#include "data/binned.hpp"
#include "gradient/quantize.hpp"
#include "rows/exchange.hpp"
#include "rows/leaf_of_row.hpp"
#include "rows/node_sums.hpp"
#include "sample/columns.hpp"
#include "split/approx.hpp"
#include "split/bounds.hpp"
#include "split/exact.hpp"
#include "split/scan.hpp"
#include "tree/frontier.hpp"
#include "tree/interactions.hpp"
#include "tree/plan.hpp"
#include "tree/tree_arrays.hpp"

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace ceiba {

// A node of a tree that grows, or has grown.
struct Node {
    int parent = -1, depth = 0;
    int left = -1, right = -1;
    std::int64_t n_rows = 0;
    Sums sums;
    double score = 0;
    Bounds bounds; // of its constant, and of every leaf below it
    int histogram = -1;
    Split split; // the best one; applied where left >= 0
    // Columns, increasing: at first those that the nodes above looked at in vain, then its own too.
    std::vector<int> hopeless;

    bool is_leaf() const { return left < 0; }
};

struct GrownTree {
    std::vector<Node> nodes;
    LeafOfRow leaf_of_row;
    Extent extent; // of the gradients it was grown from
    double repeats = 0;

    PlacedRows placed() const;
};

// The buffers of one tree at a time.
class TreeGrower {
  public:
    // With ranked columns every distinct value is a candidate, or those that the plan's sketch_eps
    // asks for; without, the edges of bins are.
    TreeGrower(const BinnedMatrix& binned, const std::shared_ptr<const RankedColumns>& ranked,
               const GrowPlan& plan);

    void grow(const GradientView& view, const WeightFacts& weights,
              std::span<const std::int32_t> rows, bool all_rows, const ColumnKey& key,
              int n_threads, GrownTree& tree);

  private:
    struct Found { // the search of one node: its columns, and the best split of each group
        int node;
        std::vector<int> columns;
        std::vector<Split> by_group;
        Split best;
        std::vector<std::uint8_t> hopeful; // of each column, if asked for
    };
    // A histogram that is summed, and the sibling whose histogram is the parent's minus it (-1:
    // none).
    struct Build {
        int node, sibling;
    };

    double score_of(const Node& node) const;
    double step_of(const Sums& sums, const Bounds& bounds) const;
    ChildBounds bounds_below(int number) const;
    bool enough_rows(const Node& node) const;
    bool may_split(const Node& node) const;
    void plan_builds(int parent, std::vector<Build>& builds);
    void search(std::span<const Build> builds);
    void search_by_node(std::span<const Build> builds);
    void search_level(std::span<const int> level, std::span<const Build> builds);
    void sum(std::span<const Build> builds, const std::function<void(int, int)>& summed);
    std::vector<int> columns_for(const Node& node, int number) const;
    std::vector<int> drawn_columns(const Node& node, int number) const;
    ColumnScan scan_of(const Node& node, int feature);
    ExactSearch::ScanOf histogram_of();
    void scan_group(Found& found, int group);
    ExactSearch::NodeView exact_view(int number, std::span<const int> columns, Split& best) const;
    void settle_thresholds(std::span<const int> batch);
    void split_nodes(std::span<const int> batch);

    std::unique_ptr<ApproxSearch> approx_; // none: candidates are not proposed
    const BinnedMatrix* binned_;
    GrowPlan plan_;
    GainRule rule_;
    Interactions interactions_;
    Exchange exchange_;
    std::unique_ptr<ExactSearch> exact_; // none: thresholds are edges of bins
    HistogramPool pool_;
    Quantized quantized_;

    // of the tree in growth
    std::vector<Node>* nodes_ = nullptr;
    ColumnKey key_;
    int n_threads_ = 1;
    double gain_to_grow_ = 0;
    std::vector<int> tree_columns_, groups_;
};

class Grower {
  public:
    // `ranked`: the columns of the same table, for exact splits; or none.
    Grower(std::shared_ptr<const BinnedMatrix> binned, std::shared_ptr<const RankedColumns> ranked,
           const GrowPlan& plan, std::vector<double> weights, int n_threads);
    Grower(const Grower&) = delete;
    Grower& operator=(const Grower&) = delete;

    // One tree for each view. `rows`: the selected rows, increasing; ignored with all_rows.
    void grow(std::span<const GradientView> views, std::span<const std::int32_t> rows,
              bool all_rows, std::uint64_t round);
    // In the place of grow(): trees that are there, with the leaf that each row is in,
    // leaves[row * n_trees + tree]. Their leaves can then be fitted to these rows. Outputs that
    // share their trees share a view.
    void adopt(const TreeArrays& trees, std::span<const std::int32_t> leaves,
               std::span<const GradientView> views);

    const BinnedMatrix& binned() const { return *binned_; }
    const RankedColumns* ranked() const { return ranked_.get(); }
    const GrowPlan& plan() const { return plan_; }
    const WeightFacts& weights() const { return facts_; }
    int n_threads() const { return n_threads_; }
    std::uint64_t n_grown() const { return n_grown_; } // counts calls of grow() and adopt()
    std::vector<GrownTree>& trees() { return trees_; }

  private:
    std::shared_ptr<const BinnedMatrix> binned_;
    std::shared_ptr<const RankedColumns> ranked_;
    GrowPlan plan_;
    std::vector<double> weights_;
    WeightFacts facts_;
    int n_threads_;
    std::uint64_t n_grown_ = 0;
    std::vector<std::unique_ptr<TreeGrower>>
        growers_; // one for each tree that grows at the same time
    std::vector<GrownTree> trees_;
};

} // namespace ceiba
