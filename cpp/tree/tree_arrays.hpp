// Trees as flat arrays, one node after the other, one tree after the other.
//
//   tree_offsets  0        5              12
//   nodes         |tree 0  |tree 1        |
//   value         |L numbers for each node|
//
// Within a tree node 0 is the root and children come after their parent. `left` and `right` count
// from the tree's first node and are -1 for a leaf, whose `feature` is -1 too. x <= threshold goes
// left, a missing x goes left where missing_left is 1.
//
// A node may split by a set of levels in the place of a threshold, which is then 0: x, the number of
// a level, goes left if it is in the set. Sets are bits over levels, 64 to a word, and do not end with
// a word that is 0; what lies beyond, and what is no whole number from 0 on, is in no set. Nodes
// may share a set. Forests without sets have none of their arrays.
//
//   set_of_node   -1  0 -1 -1  1  0 ...       0, 1: the set of the node, -1: none
//   set_offsets   0        2     3
//   set_words     |set 0   |set 1|
//
// What a leaf adds is a vector of leaf_width L numbers, one for each output of its tree. A forest
// of K outputs has either
//
//   L = 1   K trees an iteration; tree t adds to output t % K
//   L = K   one tree an iteration, whose leaves add to all outputs
//
// or n_parallel times as many: an iteration then holds one such group after the other.
//
// A leaf may hold a line besides: terms, each a column that the row is asked for (a regressor) and a
// slope for every output. What it adds is then, term after term (tree/linear_part.hpp),
//
//   value + slope * (x - mean) + ...      with x within [low, high], unless lines extrapolate
//
// so that `value` is what it adds where all regressors are at their means, and a missing one adds
// nothing. Forests without lines have none of their arrays.
//
//   linear_offsets   0  0  2     3 ...        of each node, and the end; splits have no terms
//   linear_feature   |  |leaf 2|leaf 3|       ascending within a leaf
//   linear_slope     |L numbers for each term|
//
// for_each_array() is the one list of the arrays: joining, cutting, checks, dictionaries of Python
// and model files go through it.
//
// Trees without a limit have millions of nodes: their arrays come straight from the system, so that
// what a growing array leaves behind goes back to it.
#pragma once

#include "base/pages.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace ceiba {

struct TreeArrays {
    std::int64_t leaf_width = 1;
    std::int64_t n_parallel = 1;
    PagedVector<std::int64_t> tree_offsets; // n_trees + 1
    PagedVector<std::int32_t> feature, left, right;
    PagedVector<double> threshold;
    PagedVector<std::uint8_t> missing_left;
    // Of a leaf: what it adds to the scores; of a split: what it would add as a leaf.
    PagedVector<double> value;
    PagedVector<double> gain, cover, count;
    PagedVector<std::int32_t> set_of_node;
    PagedVector<std::int64_t> set_offsets;
    PagedVector<std::uint64_t> set_words;
    PagedVector<std::int64_t> linear_offsets;
    PagedVector<std::int32_t> linear_feature;
    PagedVector<double> linear_slope;
    PagedVector<double> linear_mean, linear_low, linear_high; // over the rows of the leaf
    bool extrapolates = false; // lines go on beyond the rows that they were fitted to

    std::int64_t n_trees() const { return static_cast<std::int64_t>(tree_offsets.size()) - 1; }
    std::int64_t n_nodes() const { return static_cast<std::int64_t>(feature.size()); }
    std::int64_t trees_per_iteration(std::int64_t n_outputs) const {
        return n_outputs / leaf_width * n_parallel;
    }
    bool has_sets() const { return !set_of_node.empty(); }
    std::int64_t n_sets() const {
        return has_sets() ? static_cast<std::int64_t>(set_offsets.size()) - 1 : 0;
    }
    bool splits_by_set(std::int64_t node) const { return has_sets() && set_of_node[node] >= 0; }
    // The words of the set that a node splits by.
    std::span<const std::uint64_t> set_at(std::int64_t node) const {
        const std::int32_t set = set_of_node[node];
        return {set_words.data() + set_offsets[set], set_words.data() + set_offsets[set + 1]};
    }
    bool has_linear_leaves() const { return !linear_offsets.empty(); }
    std::int64_t n_terms() const { return static_cast<std::int64_t>(linear_feature.size()); }
    std::int64_t n_terms_of(std::int64_t node) const {
        return has_linear_leaves() ? linear_offsets[node + 1] - linear_offsets[node] : 0;
    }
};

// What an array has an entry for.
enum class Per : std::uint8_t {
    tree, // where its nodes begin; and the end of the last
    node,
    value, // leaf_width entries for each node
    set,   // where its words begin; and the end of the last
    word,
    line, // of each node: where its terms begin; and the end of the last
    term,
    slope // leaf_width entries for each term
};

// What has an array: every forest, those with sets of levels, those with lines.
enum class Part : std::uint8_t { trees, sets, linear_leaves };

template <class T>
struct TreeArray {
    const char* name;
    PagedVector<T> TreeArrays::* member;
    Per per;
    Part part = Part::trees;
};

inline bool has_part(const TreeArrays& arrays, Part part) {
    return part == Part::trees ||
           (part == Part::sets ? arrays.has_sets() : arrays.has_linear_leaves());
}

// visit(TreeArray<T>) for every array, in the order of the model file.
template <class Visit>
void for_each_array(Visit visit) {
    using A = TreeArrays;
    visit(TreeArray<std::int64_t>{"tree_offsets", &A::tree_offsets, Per::tree});
    visit(TreeArray<std::int32_t>{"feature", &A::feature, Per::node});
    visit(TreeArray<double>{"threshold", &A::threshold, Per::node});
    visit(TreeArray<std::int32_t>{"left", &A::left, Per::node});
    visit(TreeArray<std::int32_t>{"right", &A::right, Per::node});
    visit(TreeArray<std::uint8_t>{"missing_left", &A::missing_left, Per::node});
    visit(TreeArray<double>{"value", &A::value, Per::value});
    visit(TreeArray<double>{"gain", &A::gain, Per::node});
    visit(TreeArray<double>{"cover", &A::cover, Per::node});
    visit(TreeArray<double>{"count", &A::count, Per::node});
    visit(TreeArray<std::int32_t>{"set_of_node", &A::set_of_node, Per::node, Part::sets});
    visit(TreeArray<std::int64_t>{"set_offsets", &A::set_offsets, Per::set, Part::sets});
    visit(TreeArray<std::uint64_t>{"set_words", &A::set_words, Per::word, Part::sets});
    visit(TreeArray<std::int64_t>{"linear_offsets", &A::linear_offsets, Per::line,
                                  Part::linear_leaves});
    visit(TreeArray<std::int32_t>{"linear_feature", &A::linear_feature, Per::term,
                                  Part::linear_leaves});
    visit(TreeArray<double>{"linear_slope", &A::linear_slope, Per::slope, Part::linear_leaves});
    visit(TreeArray<double>{"linear_mean", &A::linear_mean, Per::term, Part::linear_leaves});
    visit(TreeArray<double>{"linear_low", &A::linear_low, Per::term, Part::linear_leaves});
    visit(TreeArray<double>{"linear_high", &A::linear_high, Per::term, Part::linear_leaves});
}

// Adds a set, as far as its last word that is not 0, and returns its number.
std::int32_t add_set(TreeArrays& arrays, std::span<const std::uint64_t> words);
// Notes that the last node splits by a set.
void split_by_set(TreeArrays& arrays, std::int32_t set);

// The trees [first, last). Sets are numbered anew, in the order in which nodes name them.
TreeArrays slice(const TreeArrays& arrays, std::int64_t first, std::int64_t last);

// Appends the trees of a piece (a round of a training). Where one of them has leaves of several outputs
// and the other a tree for each output (an older model that is trained further), `to` gets a tree for
// each output. Lines of both extrapolate, or those of none.
void extend(TreeArrays& to, const TreeArrays& piece);

// The trees of several pieces, one after the other. `n_parallel` is that of the result.
TreeArrays join(const std::vector<const TreeArrays*>& pieces, std::int64_t n_parallel = 1);

} // namespace ceiba
