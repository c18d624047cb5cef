// Candidate thresholds of approx: proposed for every tree, or for every node.
//
// The life of an approx search:
//   1. It is made for ranked columns, the error `eps` and a scope (tree or node), and reuses its
//      buffers for every tree.
//   2. start() for each tree. Scope tree: candidates are proposed for all its rows and the rows are
//      coded by them, so that the tree grows on binned() like any other.
//   3. Scope node: scan() searches one column of a node with candidates of the node's own.
//   4. settle() converts a split of scope tree from codes to ranks and sets its threshold. Splits
//      of scope node already have both.
//
// With symmetric growth the scope is always tree: the nodes of a level share their candidates, and
// together they contain all rows of the tree.
#pragma once

#include "data/coded/recoded.hpp"
#include "split/category.hpp"
#include "split/proposal.hpp"
#include "split/scan.hpp"

#include <memory>
#include <span>
#include <vector>

namespace ceiba {

class ApproxSearch {
  public:
    // `kinds`: one per column, or empty if all are numbers. Every level of a category is a bin.
    ApproxSearch(std::shared_ptr<const RankedColumns> ranked, double eps, bool by_node,
                 std::vector<std::uint8_t> kinds, const CategoryRule& category);

    bool by_node() const { return by_node_; }
    const BinnedMatrix& binned() const { return recoded_.binned(); }

    void start(const Quantized& quantized, std::span<const Shard> shards,
               std::span<const std::int32_t> rows, bool all_rows, std::span<const int> columns,
               int n_threads);

    // What scan() reads of a node.
    struct NodeView {
        int number = 0;
        Sums sums;
        double score = 0;
        Bounds bounds;
        int direction = 0; // of the column
    };
    // Replaces `best` if the column has a larger gain.
    void scan(const NodeView& node, int feature, const GainRule& rule, Split& best) const;
    void settle(Split& split) const;

  private:
    bool is_category(int feature) const {
        return !kinds_.empty() && kinds_[static_cast<std::size_t>(feature)] != 0;
    }

    std::shared_ptr<const RankedColumns> ranked_;
    bool by_node_;
    std::vector<std::uint8_t> kinds_;
    CategoryRule category_;
    RecodedMatrix recoded_;
    Proposal proposal_;
    std::vector<Cuts> cuts_;

    // of the tree in growth
    const Quantized* quantized_ = nullptr;
    std::span<const Shard> shards_;
};

} // namespace ceiba
