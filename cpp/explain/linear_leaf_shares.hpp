// What the lines in the leaves of a tree give to players.
//
// A term of a line is a game of its own: it adds slope * offset where every condition on the way to the
// leaf holds. The player whose column the regressor is has that offset when it is present. When it is
// absent, the regressor is at the mean of the leaf and the term adds nothing ("path-dependent"), or it
// has the offset of a row of the background ("interventional"), and the game is then the sum of two:
//
//   offset of the row        times  a leaf whose player j asks for the row itself, never for others
//   offset of a background   times  a leaf whose player j asks for the others, never for the row
//
// So every part is a leaf of value 1 (leaf_units.hpp) with something changed for one player, times a
// number that is known for the row.
//
// The life of the shares of a tree:
//   1. They are made of the leaves that hold lines; regressors that no split of the path asks for are
//      players without a condition.
//   2. With a background, meet_background() sums its rows by what they meet.
//   3. add() adds the parts of a block of rows. Units are made once for each pattern that the block has.
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

// Rows that are asked: where they go at splits, and what they have of regressors.
struct LinearRows {
    const std::int8_t* sides; // [split * stride + row]
    std::int64_t stride, n_rows;
    std::function<double(std::int64_t row, std::int32_t feature)> value;
};

class LinearLeafShares {
  public:
    // The arrays must outlive it. Players are places, as those of the splits are.
    LinearLeafShares(const TreeArrays& arrays, std::int64_t tree,
                     std::span<const std::int32_t> player_of_column, bool pairs);

    bool any() const { return !leaves_.empty(); }
    void meet_background(const LinearRows& rows);

    // visit(player, other player or -1, output of the leaf, row, number) for everything that is added.
    using Visit =
        std::function<void(std::int32_t, std::int32_t, std::int64_t, std::int64_t, double)>;
    void add(const LinearRows& rows, LeafUnits& units, const Visit& visit) const;
    // out[output] += what is added where every player is absent.
    void add_base(double* out) const;

  private:
    // Background rows that meet the same conditions.
    struct Seen {
        std::string holds; // a flag for each player
        double share;      // of the rows
        double offset;     // the sum of theirs, divided by the number of rows
    };
    struct Term {
        std::int64_t term;      // in the arrays
        std::size_t player;     // of those of the leaf
        std::vector<Seen> seen; // in order
    };
    struct Leaf {
        std::vector<PathPlayer> players;
        std::vector<Term> terms;
    };
    // The units of a row that meets `holds`: by the offset of the row, and by those of the background.
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
