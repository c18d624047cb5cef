// Exact Shapley values of the raw scores of a forest.
//
// The life of an explainer:
//   1. It is made for a range of iterations. Its trees are taken apart into leaves, which are products
//      of conditions (leaf_paths.hpp). Sums of games have sums of Shapley values, so every leaf is a
//      game of its own, among the few players on its path.
//   2. Without a background an absent player counts as the share of training rows that meet its
//      condition ("path-dependent"). With one (set_background), an absent player has the values of a row
//      of the background, and the mean over its rows is taken ("interventional").
//   3. add() adds the values of each row, block by block. Leaves are added in the order of trees, so the
//      result depends on neither threads nor blocks.
#pragma once

#include "explain/leaf_paths.hpp"
#include "explain/row_sides.hpp"
#include "model/forest.hpp"

#include <cstdint>
#include <vector>

namespace ceiba {

// The rows of a background that meet the same conditions of a leaf.
struct BackgroundPattern {
    std::int64_t first_flag; // a flag for each player of the leaf
    double share;            // of the rows
};

struct ExplainedTree {
    TreePaths paths;
    // With a background, for each leaf: its patterns, in order.
    std::vector<std::int64_t> first_pattern; // of each leaf, and the end of the last
    std::vector<BackgroundPattern> patterns;
    std::vector<std::uint8_t> flags;
};

class Explainer {
  public:
    // The forest must outlive it. player_of_column: 0 .. n_players - 1 for each column.
    Explainer(const Forest& forest, std::int64_t begin, std::int64_t end,
              std::vector<std::int32_t> player_of_column, std::int64_t n_players,
              bool interactions);

    void set_background(const RowSource& rows, int n_threads);

    std::int64_t n_columns() const { return forest_.n_features(); }
    std::int64_t n_players() const { return n_players_; }
    std::int64_t n_outputs() const { return forest_.n_outputs(); }
    bool interactions() const { return interactions_; }
    // Numbers of one row: n_players (with interactions n_players twice) times n_outputs.
    std::int64_t row_width() const {
        return n_players_ * (interactions_ ? n_players_ : 1) * n_outputs();
    }

    // values[row][player]([other player])[output] of the rows, whatever was there before.
    void explain(const RowSource& rows, double* values, int n_threads) const;
    // out[output] += what the trees add where every player is absent.
    void add_base(double* out) const;

  private:
    struct Block;

    void find_patterns(ExplainedTree& tree, const std::int8_t* sides, std::int64_t n_rows,
                       std::int64_t stride) const;
    void add_tree(const ExplainedTree& tree, std::int64_t tree_number, Block& block) const;
    void path_dependent(const LeafPath& leaf, const ExplainedTree& tree, Block& block) const;
    void interventional(const ExplainedTree& tree, std::int64_t leaf, Block& block) const;
    void add_units(const LeafPath& leaf, const ExplainedTree& tree, std::int64_t tree_number,
                   std::int64_t row, Block& block) const;
    void write(const Block& block, double* values) const;
    std::int64_t pair_slot(std::int64_t i, std::int64_t j) const;

    const Forest& forest_;
    std::int64_t tree_begin_, tree_end_, n_players_;
    bool interactions_, has_background_ = false;
    RowSides sides_;
    std::vector<std::int32_t> used_; // the players that trees ask for, in order
    std::vector<std::int32_t> slot_; // of each player among them
    std::vector<ExplainedTree> trees_;
};

} // namespace ceiba
