// A tree prepared for explanations: its leaves, their groups, and background counts of each leaf.
//
// The life of an explained tree:
//   1. Its leaves are found (leaf_paths.hpp) and grouped (leaf_groups.hpp).
//   2. With a background, meet_background() counts its rows by the conditions of each leaf that
//      they meet, independent of their order.
//   3. fill_table() computes the table of a leaf group: numbers for each output, unit
//      (leaf_units.hpp, of the players of the group) and word of a row. add_directly() and
//      add_wide() work without tables.
//
// All of them sum the leaves of a group from left to right, starting with 0, so that tables and
// single rows give the same bits.
#pragma once

#include "explain/leaf_groups.hpp"
#include "explain/leaf_units.hpp"
#include "tree/tree_arrays.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace ceiba {

class ExplainedTree {
  public:
    // The arrays must outlive it.
    ExplainedTree(const TreeArrays& arrays, std::int64_t tree,
                  std::span<const std::int32_t> player_of_column, bool pairs);

    const std::vector<LeafGroup>& leaf_groups() const { return leaf_groups_.leaf_groups; }
    std::span<const Condition> conditions_of(const LeafGroup& leaf_group) const;
    const PathEdge* edges() const { return leaf_groups_.edges.data(); }
    std::span<const std::int32_t> players_of(const LeafGroup& leaf_group) const;
    std::int64_t n_units(const LeafGroup& leaf_group) const {
        return n_units_of(leaf_group.n_players, pairs_);
    }
    // Size of the table of a leaf group, in numbers.
    std::int64_t table_size(const LeafGroup& leaf_group) const {
        return leaf_group.is_wide() ? 0 : width_ * n_units(leaf_group) * leaf_group.n_patterns();
    }
    // Cost of a table, as the number of rows that could be added without it.
    std::int64_t table_cost(const LeafGroup& leaf_group) const;

    // sides[split * stride + row].
    void meet_background(const std::int8_t* sides, std::int64_t stride, std::int64_t n_rows);

    // table[(output * n_units + unit) << n_conditions | word].
    void fill_table(const LeafGroup& leaf_group, LeafUnits& units, double* table) const;
    // out[output * n_units + unit] of one row: by its word, or by a flag for each player of a wide
    // leaf.
    void add_directly(const LeafGroup& leaf_group, std::uint16_t word, LeafUnits& units,
                      double* out) const;
    void add_wide(const LeafGroup& leaf_group, const std::uint8_t* holds, LeafUnits& units,
                  double* out) const;
    // out[output] += the value with every player absent.
    void add_base(double* out) const;

  private:
    struct Seen {          // background rows that meet the same conditions of a wide leaf
        std::string holds; // a flag for each player, the last player first
        double share;
    };

    const double* value_of(const LeafPath& leaf) const {
        return arrays_.value.data() + (first_node_ + leaf.node) * width_;
    }
    const std::uint32_t* counts_of(std::int32_t leaf) const {
        return counts_.data() + first_count_[static_cast<std::size_t>(leaf)];
    }
    template <class Meet>
    static std::vector<Seen> sorted_rows(std::size_t n_players, std::size_t n_rows, Meet meet);
    // Call visit(unit of the leaf, unit of the leaf group) for all units of a leaf.
    template <class Visit>
    void for_units(const LeafGroup& leaf_group, const LeafPath& leaf, Visit visit) const;

    const TreeArrays& arrays_;
    std::int64_t first_node_, width_;
    bool pairs_;
    TreePaths paths_;
    TreeLeafGroups leaf_groups_;
    std::int64_t n_background_ = 0;
    std::vector<std::int64_t> first_count_;    // per leaf
    std::vector<std::uint32_t> counts_;        // of leaves that are not wide, per pattern
    std::vector<std::vector<Seen>> wide_seen_; // per leaf, sorted
};

} // namespace ceiba
