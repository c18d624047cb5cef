// Exact Shapley values (SHAP) of the raw scores of a forest.
//
// The life of an explainer:
//   1. It is created for a range of iterations. Its trees are decomposed into leaves, which are
//      products of conditions (leaf_paths.hpp). Shapley values are additive over games, so every
//      leaf is a separate game among the few players on its path.
//   2. Without a background an absent player counts as the share of training rows that meet its
//      condition ("path-dependent"). With one (set_background), an absent player has the values of
//      a background row, averaged over these rows ("interventional").
//   3. explain() processes the trees in groups whose tables fit into memory. It fills the tables,
//      then looks up the words of blocks of rows in them. Few rows are added without tables. The
//      order of sums follows trees and leaves: threads, blocks and tables change nothing.
#pragma once

#include "explain/explained_tree.hpp"
#include "explain/linear_leaf_shares.hpp"
#include "explain/row_sides.hpp"
#include "model/coded_linear_leaves.hpp"
#include "model/forest.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace ceiba {

class Explainer {
  public:
    // The forest must outlive it. player_of_column: 0 .. n_players - 1 for each column.
    Explainer(const Forest& forest, std::int64_t begin, std::int64_t end,
              const std::vector<std::int32_t>& player_of_column, std::int64_t n_players,
              bool interactions);

    void set_background(const RowSource& rows, int n_threads);

    std::int64_t n_columns() const { return forest_.n_features(); }
    std::int64_t n_players() const { return n_players_; }
    std::int64_t n_outputs() const { return forest_.n_outputs(); }
    bool interactions() const { return interactions_; }
    // Numbers per row: n_players (with interactions n_players squared) times n_outputs.
    std::int64_t row_width() const {
        return n_players_ * (interactions_ ? n_players_ : 1) * n_outputs();
    }

    // values[row][player]([other player])[output] of the rows; overwritten.
    void explain(const RowSource& rows, double* values, int n_threads) const;
    // out[output] += the value of the trees with every player absent.
    void add_base(double* out) const;

  private:
    struct Block;
    struct Group;

    const ExplainedTree& tree_at(std::int64_t tree) const {
        return trees_[static_cast<std::size_t>(tree - tree_begin_)];
    }
    Group next_group(std::int64_t begin, std::int64_t n_rows) const;
    void fill_tables(Group& group, int n_threads) const;
    void add_block(const Group& group, const RowSource& rows, std::int64_t first,
                   Block& block) const;
    void add_tree(const Group& group, std::int64_t tree, Block& block) const;
    void add_linear_leaves(std::int64_t tree, Block& block) const;
    void add_rows(const ExplainedTree& tree, const LeafGroup& leaf_group,
                  std::span<const std::int32_t> slots, double* sums, Block& block) const;
    // The slots of the sums of a leaf group's units.
    std::span<const std::int32_t> find_slots(const ExplainedTree& tree, const LeafGroup& leaf_group,
                                             Block& block) const;
    void copy(double* values, Block& block, bool to_values) const;
    template <class With>
    void copy_slots(double* values, std::int64_t output, With with) const;
    void set_diagonal(std::int64_t n_rows, double* values) const;

    const Forest& forest_;
    std::int64_t tree_begin_, tree_end_, n_players_;
    bool interactions_, has_background_ = false;
    std::vector<std::int32_t> used_; // players that the trees use, in order
    std::int64_t n_slots_ = 0;       // sums per output: for these players and their pairs
    RowSides sides_;
    std::vector<ExplainedTree> trees_;            // players are indices into used_
    std::vector<LinearLeafShares> linear_leaves_; // per tree, if leaves are linear
    CodedLinearLeaves regressors_;                // reads their regressors
};

} // namespace ceiba
