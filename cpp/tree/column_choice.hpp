// Column choice: which columns a tree, and a node of it, may split.
//
// A tree draws columns from the table, a level from those of the tree, and a node from those of its
// level (sample/columns.hpp). Interaction constraints leave some out (tree/interactions.hpp), and so
// does drop_hopeless_columns: below a node, columns without a gain in it.
//
// The life of a column choice:
//   1. start() draws the columns of a tree.
//   2. of_node() lists the columns that a node searches, further() those it falls back to.
//   3. note_hopeless() stores the columns that nodes below will skip.
#pragma once

#include "data/binning/bin_mapper.hpp"
#include "tree/growing_tree.hpp"
#include "tree/interactions.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace ceiba {

class ColumnChoice {
  public:
    // `mapper`: columns of one bin are skipped; null if candidates lie inside bins.
    ColumnChoice(const GrowingTree& tree, int n_features, const BinMapper* mapper);

    void start();
    const std::vector<int>& of_tree() const { return of_tree_; }
    std::vector<int> of_node(int number) const;
    // With draw_until_split, the columns that a node did not draw, in the order in which it would
    // draw them; otherwise none.
    std::vector<int> further(int number, std::span<const int> drawn) const;
    void erase_constants(std::vector<int>& columns) const;

    // Marks the columns of a node that are not `hopeful` for the nodes below it.
    void note_hopeless(std::span<const int> columns, std::span<const std::uint8_t> hopeful,
                       Node& node) const;
    // The random number of extra trees for a column; nodes of a symmetric level share it.
    std::uint64_t lot(const Node& node, int feature) const;

  private:
    bool takes_all_of_level() const;
    bool takes_all_of_tree() const;
    std::vector<int> of_level(int number) const;
    std::vector<int> drawn(int number) const;

    const GrowingTree& tree_;
    Interactions interactions_;
    const BinMapper* mapper_;
    std::size_t n_features_;
    std::vector<int> of_tree_;
    std::vector<int> without_constants_; // of the columns of the tree
};

} // namespace ceiba
