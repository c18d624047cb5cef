// Walks one tree for a pair of rows, where present players have the values of one row and absent
// players those of the other, and distributes its value.
//
// A column owned by one player has two values. Statistics of combined columns have one value for
// each subset of their players: the statistic of a key with levels of both rows.
//
// The life of a walk:
//   1. It is created for the trees of a range, whose nodes know their players.
//   2. add() descends a tree with no player decided. If all remaining subsets take the same side,
//      it goes there; otherwise it decides a player that makes a difference, present and then
//      absent. So a leaf is reached by the coalitions that contain all of some players and none of
//      others:
//
//          mean of (a x b) <= 0.3       the row's own a, b: left; others' a, b: right; mixed: left
//             /          \              a absent, b absent -> right;  a absent, b present -> left
//           ...          ...            a present          -> left
//
//   3. Such a game has Shapley values in closed form, which are added to the sums.
#pragma once

#include "data/encoding/target_statistics.hpp"
#include "tree/tree_arrays.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace ceiba {

constexpr std::size_t kMostMixed = 8; // columns of a combination

// Two rows: bits of the splits of a tree (1: left), and for each combination the index of the key
// of each subset of its columns (bit k for column k), which have the levels of the first row.
struct RowPair {
    const std::uint64_t* own;
    const std::uint64_t* other;
    const std::int32_t* places;
};

// A combination that trees use.
struct MixedPart {
    std::size_t part;                  // index in the statistics
    std::vector<std::int32_t> players; // its columns
    std::vector<std::size_t> levels;   // their indices among columns of levels
    std::size_t first_place;           // index in RowPair::places
};

class PairTrees {
  public:
    // columns: for each column of the forest, the players that own it; the columns of the
    // statistics come last. All arguments must outlive it.
    PairTrees(const TreeArrays& arrays, std::int64_t tree_begin, std::int64_t tree_end,
              const StatisticsTables& statistics,
              const std::vector<std::vector<std::int32_t>>& columns);

    const std::vector<MixedPart>& parts() const { return parts_; }
    // Columns of levels that combinations need, as players.
    const std::vector<std::int32_t>& level_players() const { return level_players_; }
    std::size_t n_places() const { return n_places_; }

  private:
    friend class PairWalk;

    struct Node {
        std::int32_t left, right; // -1: a leaf
        std::int32_t split;       // number among the splits of the tree
        std::int32_t player;      // -1: a combination
        std::int32_t mixed;       // index in parts_
        const double* statistics; // of its keys
        double threshold;
    };

    void add_parts(const StatisticsTables& statistics,
                   const std::vector<std::vector<std::int32_t>>& columns,
                   const std::vector<bool>& used);

    const TreeArrays& arrays_;
    std::int64_t first_node_;
    std::vector<Node> nodes_; // of all trees of the range
    std::vector<MixedPart> parts_;
    std::vector<std::int32_t> level_players_;
    std::size_t n_places_ = 0;
};

// State of one thread.
class PairWalk {
  public:
    PairWalk(const PairTrees& trees, std::int64_t n_players, std::int64_t n_outputs, bool pairs);

    // sums[player]([other player])[output] += share times the contribution of the tree. With pairs,
    // the diagonal has the value of the player.
    void add(std::int64_t tree, const RowPair& rows, std::int64_t first_output, double share,
             double* sums);

  private:
    enum State : std::uint8_t { open, present, absent };

    void walk(std::int32_t node);
    // The player to decide next at a combination's node, or -1 if all subsets agree; then `left` is
    // the side.
    std::int32_t decider(const PairTrees::Node& node, bool& left) const;
    void add_leaf(std::int32_t node);
    void add_to(std::int32_t player, std::int32_t other, double amount, const double* value);

    const PairTrees& trees_;
    std::int64_t n_players_, n_outputs_;
    bool pairs_;
    std::vector<State> states_;
    std::vector<std::int32_t> present_, absent_;
    // Of the current tree.
    const PairTrees::Node* nodes_ = nullptr;
    const double* values_ = nullptr;
    RowPair rows_{};
    std::int64_t first_output_ = 0;
    double share_ = 0.0;
    double* sums_ = nullptr;
};

} // namespace ceiba
