// Exact interventional Shapley values for trees with target statistics of combined columns.
//
// A column owned by several players has no condition of a single player. So leaves are not products
// and background rows cannot be counted (explainer.hpp). Instead every row is paired with every row
// of the background.
//
// The life of a paired explainer:
//   1. It is created for a range of iterations and the statistics of a model.
//   2. set_background() finds the side of the background's rows at every split. Equal rows are
//      merged with their multiplicity, and rows are sorted, so that their order does not matter.
//   3. explain() does the same with the rows, looks up the keys of every pair for each subset of
//      columns, and walks down every tree (pair_walk.hpp). One thread computes the sums of a row.
#pragma once

#include "explain/pair_walk.hpp"
#include "explain/row_sides.hpp"
#include "model/forest.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace ceiba {

class PairedExplainer {
  public:
    // The forest and the statistics must outlive it. columns: for each column of the forest, the
    // players that own it; the columns of the statistics come last.
    PairedExplainer(const Forest& forest, std::int64_t begin, std::int64_t end,
                    const StatisticsTables& statistics,
                    std::vector<std::vector<std::int32_t>> columns, std::int64_t n_players,
                    bool interactions);

    std::int64_t n_columns() const { return forest_.n_features(); }
    std::int64_t row_width() const {
        return n_players_ * (interactions_ ? n_players_ : 1) * forest_.n_outputs();
    }
    // Players whose levels are needed, in this order.
    const std::vector<std::int32_t>& level_players() const { return trees_.level_players(); }

    // levels: a column of level numbers for each of level_players().
    void set_background(const RowSource& rows, std::span<const Column> levels, int n_threads);
    // values[row][player]([other player])[output]; overwritten.
    void explain(const RowSource& rows, std::span<const Column> levels, double* values,
                 int n_threads) const;

  private:
    struct Rows {
        std::int64_t n_rows = 0;
        std::vector<std::uint64_t> sides;  // [row][n_words_]: bits of the splits of all trees
        std::vector<std::uint64_t> levels; // [row][level_players()]: keys of single columns
    };

    Rows read(const RowSource& rows, std::span<const Column> levels, std::int64_t first,
              std::int64_t n, int n_threads) const;
    void read_sides(const RowSource& rows, std::int64_t first, int n_rows,
                    std::uint64_t* out) const;
    void explain_row(const Rows& rows, std::int64_t row, double* values) const;
    void find_places(const std::uint64_t* own, const std::uint64_t* other,
                     std::int32_t* places) const;
    void set_diagonal(double* values) const;

    const Forest& forest_;
    const StatisticsTables& statistics_;
    std::int64_t tree_begin_, tree_end_, n_players_;
    bool interactions_;
    RowSides sides_;
    PairTrees trees_;
    std::vector<std::int64_t> first_word_; // per tree
    std::int64_t n_words_ = 0;
    std::vector<std::int64_t> n_levels_; // per player of level_players()
    Rows background_;                    // distinct rows
    std::vector<double> shares_;         // fraction of all rows, per distinct row
};

} // namespace ceiba
