// SHAP values of linear leaves: what each player (group of columns) contributes.
//
// A linear term is a separate game: it adds slope * offset if every condition on the path to the
// leaf holds. When present, the player that owns the regressor has the row's offset. When it is
// absent, the regressor is at the mean of the leaf and the term adds nothing ("path-dependent"), or
// it has the offset of a background row ("interventional"). Then the game is the sum of two:
//
//   offset of the row        times  a leaf whose player j must be the row's, never a background's
//   offset of a background   times  a leaf whose player j must be a background's, never the row's
//
// So every part is a leaf of value 1 (leaf_units.hpp), modified for one player, times a number
// known for the row.
//
// The life of the shares of a tree:
//   1. They are made of its linear leaves. Regressors without a split on the path become players
//      without a condition.
//   2. With a background, meet_background() sums its rows by the conditions that they meet.
//   3. add() adds the parts of a block of rows. Units are computed once per pattern in the block.
#pragma once

#include "explain/leaf_paths.hpp"
#include "explain/leaf_units.hpp"
#include "tree/linear_part.hpp"
#include "tree/tree_arrays.hpp"

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace ceiba {

// Rows to explain: their sides at splits, and their regressor values.
struct LinearRows {
    const std::int8_t* sides; // [split * stride + row]
    std::int64_t stride, n_rows;
    std::function<double(std::int64_t row, std::int32_t feature)> value;
};

class LinearLeafShares {
  public:
    // The arrays must outlive it. Players are indices, as in the splits.
    LinearLeafShares(const TreeArrays& arrays, std::int64_t tree,
                     std::span<const std::int32_t> player_of_column, bool pairs);

    bool any() const { return !leaves_.empty(); }
    void meet_background(const LinearRows& rows);

    // visit(player, other player or -1, output of the leaf, row, number) for every contribution.
    using Visit =
        std::function<void(std::int32_t, std::int32_t, std::int64_t, std::int64_t, double)>;
    void add(const LinearRows& rows, LeafUnits& units, const Visit& visit) const;
    // out[output] += the value with every player absent.
    void add_base(double* out) const;

  private:
    // Background rows that meet the same conditions.
    struct Seen {
        std::string holds; // a flag per player
        double share;      // of the rows
        double offset;     // mean over all rows: their sum, divided by the number of rows
    };
    struct Term {
        std::int64_t term;      // index in the arrays
        std::size_t player;     // index among those of the leaf
        std::vector<Seen> seen; // sorted
    };
    struct Leaf {
        std::vector<PathPlayer> players;
        std::vector<Term> terms;
    };
    // The units of a row that meets `holds`: for the offset of the row, and for those of the
    // background.
    struct Units {
        std::vector<double> own, others;
    };

    std::string holds_of(const Leaf& leaf, const LinearRows& rows, std::int64_t row) const;
    Units units_of(const Leaf& leaf, const Term& term, const std::string& holds,
                   LeafUnits& units) const;

    const TreeArrays& arrays_;
    bool pairs_, has_background_ = false;
    std::vector<PathEdge> edges_;
    std::vector<Leaf> leaves_;
};

} // namespace ceiba
