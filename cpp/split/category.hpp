// Splits of categories: a set of levels goes left.
//
// One-hot: one level against all others.
//
// Subset: of all ways to divide the levels, the best one puts levels in the order of their own best
// constants, gradient over hessian, and cuts once (Fisher 1958). A level of few rows has a ratio that
// says little, so hessians are smoothed, levels of too few rows stay out of the sets, and sets are
// grown from either end of the order up to a number of levels. What is in no set goes right, as do
// levels that come later.
//
//   ratio    -3   -1    0    2    5          sets from the left: {a} {a d} ...
//   level     a    d    c    e    b                from the right: {b} {b e} ...
//
// A missing value is a level like any other, or goes right, or (XGBoost) is tried on both sides of a
// single level and goes right of a subset.
//
// Nodes of a level of a symmetric tree share a set: ratios are those of all of them together, and
// gains are added.
//
// With several outputs in a leaf the gain of a set is the sum over all outputs, and a child that
// breaks a minimum for one output breaks it for the node. Each output orders the levels by its own
// ratios, and the sets of all these orders are candidates.
//
// Ties go to the lowest column; within it one-hot to the lowest level, subsets to the left end, then
// to fewer levels, then missing right. With several outputs the order of the first one comes first.
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
    double min_group = 1; // rows that a set must gain before it is a candidate again
    double support = 0;   // rows that a level needs to be in a set
    int min_levels = 1;   // levels with that support that a node needs for a subset
    // As in XGBoost: levels are sorted by their best constant (with alpha and max_delta_step), and
    // sets have less than max_levels levels, of which those without rows take a place ...
    bool by_constant = false;
    bool absent_count = true; // ... where it is known that they exist
    MissingLevel missing = MissingLevel::level;

    // Penalty of the children of a split by a set, besides reg_lambda.
    double child_l2(CategoryKind kind) const { return kind == CategoryKind::subset ? l2 : 0.0; }
};

// Replaces `best` where the column has a larger gain. `scans`: the column of one node, or of the
// nodes of a level (`level`) that may be split, the `n_outputs` outputs of a node side by side.
// `rest`: sets are ranked as split/ranking.hpp says, with these terms of the nodes of the level that
// may not be split.
void scan_category(std::span<const ColumnScan> scans, CategoryKind kind, const CategoryRule& rule,
                   bool level, Split& best, const CosineTerms* rest = nullptr,
                   std::size_t n_outputs = 1);

// Of a node that is not divided.
CosineTerms terms_of_node(const ColumnScan& node);

// What a node gains by a decision that its level shares: 0 where a child would break a minimum.
// `outputs`: the column of the node, for each output.
double gain_of_set(std::span<const ColumnScan> outputs, CategoryKind kind, const CategoryRule& rule,
                   const Decision& decision);

} // namespace ceiba
