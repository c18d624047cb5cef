#include "tree/tree_arrays.hpp"

#include "base/errors.hpp"

#include <type_traits>
#include <unordered_map>

namespace ceiba {

namespace {

// Adds empty sets for existing nodes without an entry.
void need_sets(TreeArrays& arrays) {
    arrays.set_of_node.resize(arrays.feature.size(), -1);
    if (arrays.set_offsets.empty()) arrays.set_offsets.push_back(0);
}

// Appends the sets of nodes [begin, end) for the last nodes of `to`.
void append_sets(TreeArrays& to, const TreeArrays& from, std::int64_t begin, std::int64_t end) {
    if (!to.has_sets() && !from.has_sets()) return;
    const std::int64_t shift = to.n_nodes() - end;
    std::unordered_map<std::int32_t, std::int32_t> numbers; // number of a set in `from` -> in `to`
    for (std::int64_t node = begin; node < end; ++node) {
        if (!from.splits_by_set(node)) continue;
        const auto [place, is_new] = numbers.try_emplace(from.set_of_node[node], 0);
        if (is_new) place->second = add_set(to, from.set_at(node));
        need_sets(to);
        to.set_of_node[node + shift] = place->second;
    }
    if (to.has_sets()) need_sets(to);
}

// Adds offsets without terms for existing nodes that have no entry.
void need_linear_leaves(TreeArrays& arrays, std::int64_t n_nodes) {
    arrays.linear_offsets.resize(static_cast<std::size_t>(n_nodes) + 1, arrays.n_terms());
}

// Appends the linear parts of nodes [begin, end) for the last nodes of `to`.
void append_linear_leaves(TreeArrays& to, const TreeArrays& from, std::int64_t begin,
                          std::int64_t end) {
    const bool has_own =
        from.has_linear_leaves() && from.linear_offsets[end] > from.linear_offsets[begin];
    if (!has_own) {
        if (to.has_linear_leaves()) need_linear_leaves(to, to.n_nodes());
        return;
    }
    need_linear_leaves(to, to.n_nodes() - (end - begin));
    const std::int64_t first = from.linear_offsets[begin], last = from.linear_offsets[end],
                       shift = to.n_terms() - first;
    for (std::int64_t node = begin; node < end; ++node)
        to.linear_offsets.push_back(from.linear_offsets[node + 1] + shift);
    for_each_array([&]<class T>(const TreeArray<T>& array) {
        if (array.per != Per::term && array.per != Per::slope) return;
        const std::int64_t width = array.per == Per::slope ? from.leaf_width : 1;
        PagedVector<T>& own = to.*array.member;
        const PagedVector<T>& given = from.*array.member;
        own.insert(own.end(), given.begin() + first * width, given.begin() + last * width);
    });
    to.extrapolates = from.extrapolates;
}

// Appends trees [first, last) to trees of the same leaf_width.
void append(TreeArrays& to, const TreeArrays& from, std::int64_t first, std::int64_t last) {
    const std::int64_t begin = from.tree_offsets[first], end = from.tree_offsets[last];
    const std::int64_t shift = to.n_nodes() - begin;
    for_each_array([&]<class T>(const TreeArray<T>& array) {
        if (array.part != Part::trees) return; // append_sets, append_linear_leaves
        PagedVector<T>& own = to.*array.member;
        const PagedVector<T>& given = from.*array.member;
        if constexpr (std::is_same_v<T, std::int64_t>) {
            if (array.per == Per::tree) {
                for (std::int64_t tree = first; tree < last; ++tree)
                    own.push_back(given[tree + 1] + shift);
                return;
            }
        }
        const std::int64_t width = array.per == Per::value ? from.leaf_width : 1;
        own.insert(own.end(), given.begin() + begin * width, given.begin() + end * width);
    });
    append_sets(to, from, begin, end);
    append_linear_leaves(to, from, begin, end);
}

TreeArrays no_trees(std::int64_t leaf_width) {
    TreeArrays arrays;
    arrays.leaf_width = leaf_width;
    arrays.tree_offsets.push_back(0);
    return arrays;
}

// Repeats every tree once per output, each time with the values of one output.
TreeArrays with_a_tree_for_each_output(const TreeArrays& from) {
    TreeArrays one = from, out = no_trees(1);
    one.leaf_width = 1;
    one.value.resize(static_cast<std::size_t>(from.n_nodes()));
    one.linear_slope.resize(static_cast<std::size_t>(from.n_terms()));
    for (std::int64_t tree = 0; tree < from.n_trees(); ++tree) {
        for (std::int64_t output = 0; output < from.leaf_width; ++output) {
            for (std::int64_t i = from.tree_offsets[tree]; i < from.tree_offsets[tree + 1]; ++i)
                one.value[i] = from.value[i * from.leaf_width + output];
            for (std::int64_t term = 0; term < from.n_terms(); ++term)
                one.linear_slope[term] = from.linear_slope[term * from.leaf_width + output];
            append(out, one, tree, tree + 1);
        }
    }
    return out;
}

} // namespace

std::int32_t add_set(TreeArrays& arrays, std::span<const std::uint64_t> words) {
    while (!words.empty() && words.back() == 0) words = words.first(words.size() - 1);
    need_sets(arrays);
    arrays.set_words.insert(arrays.set_words.end(), words.begin(), words.end());
    arrays.set_offsets.push_back(static_cast<std::int64_t>(arrays.set_words.size()));
    return static_cast<std::int32_t>(arrays.set_offsets.size()) - 2;
}

void split_by_set(TreeArrays& arrays, std::int32_t set) {
    need_sets(arrays);
    arrays.set_of_node.back() = set;
}

TreeArrays slice(const TreeArrays& arrays, std::int64_t first, std::int64_t last) {
    TreeArrays part = no_trees(arrays.leaf_width);
    part.n_parallel = arrays.n_parallel;
    append(part, arrays, first, last);
    return part;
}

void extend(TreeArrays& to, const TreeArrays& piece) {
    if (piece.n_trees() == 0) return;
    if (piece.has_linear_leaves() && to.has_linear_leaves() &&
        piece.extrapolates != to.extrapolates)
        throw InputError("the lines of all leaves must extrapolate, or those of none.");
    if (to.n_trees() == 0) to.leaf_width = piece.leaf_width;
    if (to.leaf_width == piece.leaf_width) return append(to, piece, 0, piece.n_trees());
    if (to.leaf_width > 1) {
        const std::int64_t n_parallel = to.n_parallel;
        to = with_a_tree_for_each_output(to);
        to.n_parallel = n_parallel;
    }
    if (piece.leaf_width == 1) return append(to, piece, 0, piece.n_trees());
    append(to, with_a_tree_for_each_output(piece), 0, piece.n_trees() * piece.leaf_width);
}

TreeArrays join(const std::vector<const TreeArrays*>& pieces, std::int64_t n_parallel) {
    TreeArrays joined = no_trees(1);
    joined.n_parallel = n_parallel;
    for (const TreeArrays* piece : pieces) extend(joined, *piece);
    return joined;
}

} // namespace ceiba
