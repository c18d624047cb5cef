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
// What a leaf adds is a vector of leaf_width L numbers, one for each output of its tree. A forest
// of K outputs has either
//
//   L = 1   K trees an iteration; tree t adds to output t % K
//   L = K   one tree an iteration, whose leaves add to all outputs
//
// for_each_array() is the one list of the arrays: joining, cutting, checks, dictionaries of Python
// and model files go through it.
#pragma once

#include <cstdint>
#include <vector>

namespace ceiba {

struct TreeArrays {
    std::int64_t leaf_width = 1;
    std::vector<std::int64_t> tree_offsets; // n_trees + 1
    std::vector<std::int32_t> feature, left, right;
    std::vector<double> threshold;
    std::vector<std::uint8_t> missing_left;
    // Of a leaf: what it adds to the scores; of a split: what it would add as a leaf.
    std::vector<double> value;
    std::vector<double> gain, cover, count;

    std::int64_t n_trees() const { return static_cast<std::int64_t>(tree_offsets.size()) - 1; }
    std::int64_t n_nodes() const { return static_cast<std::int64_t>(feature.size()); }
    std::int64_t trees_per_iteration(std::int64_t n_outputs) const {
        return n_outputs / leaf_width;
    }
};

// What an array has an entry for.
enum class Per : std::uint8_t {
    tree, // where its nodes begin; and the end of the last
    node,
    value // leaf_width entries for each node
};

template <class T>
struct TreeArray {
    const char* name;
    std::vector<T> TreeArrays::* member;
    Per per;
};

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
}

// The trees [first, last).
TreeArrays slice(const TreeArrays& arrays, std::int64_t first, std::int64_t last);

// The trees of several pieces, one after the other (the rounds of a training). Where some have
// leaves of several outputs and others a tree for each output (an older model that is trained
// further), the result has a tree for each output.
TreeArrays join(const std::vector<const TreeArrays*>& pieces);

} // namespace ceiba
