#include "model/check_forest.hpp"

#include "base/errors.hpp"
#include "model/check_linear_leaves.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <string>
#include <vector>

namespace ceiba {

namespace {

constexpr std::int64_t kMostNodesOfATree = std::numeric_limits<std::int32_t>::max();
// So that a level number fits into 31 bits.
constexpr std::int64_t kMostWordsOfASet = std::int64_t{1} << 24;
// Far below overflow, so that the start score plus a sum with rounding errors stays finite.
constexpr double kLargestScore = 1e300;

[[noreturn]] void fail(const std::string& what) {
    fail_damaged(what);
}

std::string place(std::int64_t tree, std::int64_t node) {
    return "node " + std::to_string(node) + " of tree " + std::to_string(tree) + " ";
}

void check_lengths(const TreeArrays& a, std::int64_t n_outputs) {
    if (a.leaf_width != 1 && a.leaf_width != n_outputs)
        fail("a leaf must have 1 value, or one for each of the " + std::to_string(n_outputs) +
             " outputs. Got " + std::to_string(a.leaf_width) + ".");
    for_each_array([&](const auto& array) {
        // other arrays are checked by their offsets
        if (array.per != Per::node && array.per != Per::value) return;
        if (!has_part(a, array.part)) return;
        const std::int64_t width = array.per == Per::value ? a.leaf_width : 1;
        const auto length = static_cast<std::int64_t>((a.*array.member).size());
        if (length != a.n_nodes() * width)
            fail(std::string(array.name) + " must have " + std::to_string(width) +
                 " for each of the " + std::to_string(a.n_nodes()) + " nodes. Got " +
                 std::to_string(length) + ".");
    });
}

void check_offsets(const TreeArrays& a, std::int64_t n_outputs) {
    const auto& offsets = a.tree_offsets;
    if (offsets.empty() || offsets.front() != 0) fail("tree_offsets must start with 0.");
    for (std::size_t t = 1; t < offsets.size(); ++t) {
        const bool grows = offsets[t] > offsets[t - 1];
        if (!grows || offsets[t] > a.n_nodes())
            fail("tree_offsets must increase up to the number of nodes.");
        if (offsets[t] - offsets[t - 1] > kMostNodesOfATree) fail("a tree has too many nodes.");
    }
    if (offsets.back() != a.n_nodes()) fail("tree_offsets must end with the number of nodes.");
    const std::int64_t of_iteration = a.trees_per_iteration(n_outputs);
    if (a.n_trees() % of_iteration != 0)
        fail("the number of trees must be a multiple of the " + std::to_string(of_iteration) +
             " of an iteration. Got " + std::to_string(a.n_trees()) + ".");
}

void check_sets(const TreeArrays& a) {
    if (!a.has_sets()) {
        if (!a.set_offsets.empty() || !a.set_words.empty()) fail("it has sets that no node uses.");
        return;
    }
    const auto& offsets = a.set_offsets;
    if (offsets.size() < 2 || std::ssize(offsets) - 1 > kMostNodesOfATree || offsets.front() != 0)
        fail("set_offsets must start with 0 and contain the end of each set.");
    for (std::size_t s = 1; s < offsets.size(); ++s) {
        const std::int64_t n_words = offsets[s] - offsets[s - 1];
        if (n_words < 0 || n_words > kMostWordsOfASet || offsets[s] > std::ssize(a.set_words))
            fail("set_offsets must not decrease or exceed the number of words.");
        if (n_words > 0 && a.set_words[static_cast<std::size_t>(offsets[s]) - 1] == 0)
            fail("set " + std::to_string(s - 1) + " ends with an empty word.");
    }
    if (offsets.back() != std::ssize(a.set_words))
        fail("set_offsets must end with the number of words.");
}

void check_set_of_node(const TreeArrays& a, std::int64_t tree, std::int64_t node, std::int64_t i) {
    if (!a.has_sets() || a.set_of_node[i] == -1) return;
    if (a.set_of_node[i] < 0 || a.set_of_node[i] >= a.n_sets())
        fail(place(tree, node) + "has a set out of range.");
    if (a.feature[i] == -1 || a.threshold[i] != 0)
        fail(place(tree, node) + "has a set, but is a leaf or has a threshold too.");
}

void check_numbers(const TreeArrays& a, std::int64_t tree, std::int64_t node, std::int64_t i) {
    if (std::isnan(a.threshold[i]))
        fail(place(tree, node) + "has a threshold that is not a number.");
    for (std::int64_t at = i * a.leaf_width; at < (i + 1) * a.leaf_width; ++at)
        if (!std::isfinite(a.value[at]))
            fail(place(tree, node) + "has a value that is not finite.");
    if (!std::isfinite(a.gain[i]) || !std::isfinite(a.cover[i]) || !std::isfinite(a.count[i]))
        fail(place(tree, node) + "has a gain, cover or count that is not finite.");
    if (a.missing_left[i] > 1) fail(place(tree, node) + "has a missing_left other than 0 and 1.");
}

// Returns the largest |value| of a leaf. The nodes are a tree if children come after parents and
// each has one parent.
double check_tree(const TreeArrays& a, std::int64_t tree, std::int64_t n_features,
                  std::vector<std::uint8_t>& reached) {
    const std::int64_t first = a.tree_offsets[tree];
    const std::int64_t size = a.tree_offsets[tree + 1] - first;
    reached.assign(static_cast<std::size_t>(size), 0);
    reached[0] = 1;
    double largest = 0.0;
    for (std::int64_t node = 0; node < size; ++node) {
        const std::int64_t i = first + node;
        check_numbers(a, tree, node, i);
        check_set_of_node(a, tree, node, i);
        // Parents come first, so every parent of this node has been visited.
        if (!reached[node]) fail(place(tree, node) + "is not reached from the root.");
        if (a.feature[i] == -1) {
            if (a.left[i] != -1 || a.right[i] != -1)
                fail(place(tree, node) + "is a leaf with children.");
            for (std::int64_t k = 0; k < a.leaf_width; ++k)
                largest = std::max(largest, largest_of_leaf(a, i, k));
            continue;
        }
        if (a.n_terms_of(i) > 0) fail(place(tree, node) + "is a split with a linear part.");
        if (a.feature[i] < 0 || a.feature[i] >= n_features)
            fail(place(tree, node) + "splits on feature " + std::to_string(a.feature[i]) +
                 ", but there are " + std::to_string(n_features) + ".");
        for (const std::int64_t child : {a.left[i], a.right[i]}) {
            if (child <= node || child >= size)
                fail(place(tree, node) + "has a child out of range.");
            if (reached[child]) fail(place(tree, child) + "is reached twice.");
            reached[child] = 1;
        }
    }
    return largest;
}

} // namespace

void check_forest(const TreeArrays& a, std::int64_t n_features, std::int64_t n_outputs) {
    if (n_features < 0 || n_features > kMostNodesOfATree)
        fail("the number of features is out of range.");
    if (n_outputs < 1 || n_outputs > kMostNodesOfATree)
        fail("the number of outputs is out of range.");
    check_lengths(a, n_outputs);
    check_offsets(a, n_outputs);
    check_sets(a);
    check_linear_leaves(a, n_features);

    double total = 0.0; // of all outputs: a simple bound that no real model reaches
    std::vector<std::uint8_t> reached;
    for (std::int64_t tree = 0; tree < a.n_trees(); ++tree)
        total += check_tree(a, tree, n_features, reached);
    if (!(total <= kLargestScore))
        fail("the leaf values are so large that their sum may overflow.");
}

} // namespace ceiba
