// Splits of categories: a set of levels goes left.
//
// One-hot: one level against all others.
//
// Subset: sort the levels by gradient over hessian. Of all ways to divide the levels, the best one is
// a cut of this order (Fisher 1958). Ratios of levels with few rows are noisy. So hessians are
// smoothed, levels with too few rows are in no set, and sets grow from either end of the order up to
// a maximum number of levels. Levels outside the set go right, also those unseen in training.
//
//   ratio    -3   -1    0    2    5          sets from the left: {a} {a d} ...
//   level     a    d    c    e    b                from the right: {b} {b e} ...
//
// A missing value is a level like any other, or goes right, or (XGBoost) is tried on both sides of a
// one-hot split and goes right in a subset split.
//
// All nodes of one depth of a symmetric tree share a set: ratios use the sums of these nodes, and
// their gains are added.
//
// With several outputs in a leaf, the gain of a set is the sum over all outputs, and a set is rejected
// if a child is below a minimum for any output. Each output orders the levels by its own ratios, and
// the sets of all these orders are candidates.
//
// Ties go to the lowest column. Within a column, one-hot ties go to the lowest level. Subset ties go
// to sets from the left end, then to sets with fewer levels, then to missing right. With several
// outputs, sets in the order of the first output win.
#pragma once

#include "split/ranking.hpp"
#include "split/scan.hpp"

#include <cstdint>
#include <span>

namespace ceiba {

enum class CategoryKind : std::uint8_t { number, onehot, subset };
enum class MissingLevel : std::uint8_t { level, right, either };

struct CategoryRule {
    double smooth = 10;   // is added to the hessian in a ratio
    double l2 = 0;        // penalty of children of a subset split, besides reg_lambda
    int max_levels = 32;  // of a set
    bool halves = true;   // a set has at most half of the levels, rounded up ...
    bool parted = false;  // ... and from the right end one less, so that no cut is tried twice
    double min_group = 1; // rows to add to a set before it is a candidate again
    double support = 0;   // rows that a level needs to be in a set
    int min_levels = 1;   // levels with that support that a node needs for a subset
    // As in XGBoost: levels are sorted by their best constant (with alpha and max_delta_step), and
    // sets have fewer than max_levels levels, counting levels without rows ...
    bool by_constant = false;
    bool absent_count = true; // ... if the bins include such levels
    MissingLevel missing = MissingLevel::level;

    // Penalty of the children of a split by a set, besides reg_lambda.
    double child_l2(CategoryKind kind) const { return kind == CategoryKind::subset ? l2 : 0.0; }
};

// Replaces `best` if the column has a larger gain. `scans`: the column in one node or, with `level`, in
// all nodes of a tree level that may be split; the `n_outputs` outputs of a node are adjacent. `rest`:
// if given, sets are ranked as in split/ranking.hpp, with these terms for the nodes of the level that
// may not be split.
void scan_category(std::span<const ColumnScan> scans, CategoryKind kind, const CategoryRule& rule,
                   bool level, Split& best, const CosineTerms* rest = nullptr,
                   std::size_t n_outputs = 1);

// The terms of a node that is not split.
CosineTerms terms_of_node(const ColumnScan& node);

// The gain of a node by a decision that its tree level shares; 0 if a child is below a minimum.
// `outputs`: the column of the node, for each output.
double gain_of_set(std::span<const ColumnScan> outputs, CategoryKind kind, const CategoryRule& rule,
                   const Decision& decision);

} // namespace ceiba
