#include "leaf/monotone_leaves.hpp"

#include "split/bounds.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace ceiba {

namespace {

// Visit the nodes of a subtree, in any order.
template <class Visit>
void for_subtree(const TreeShape& tree, std::size_t top, Visit visit) {
    std::vector<std::size_t> open{top};
    while (!open.empty()) {
        const std::size_t node = open.back();
        open.pop_back();
        visit(node);
        if (tree.left[node] < 0) continue;
        open.push_back(static_cast<std::size_t>(tree.left[node]));
        open.push_back(static_cast<std::size_t>(tree.right[node]));
    }
}

// The smallest and the largest leaf value of a subtree.
Bounds leaves_below(const TreeShape& tree, std::span<const double> values, std::size_t top) {
    const Bounds all;
    Bounds found{all.upper, all.lower};
    for_subtree(tree, top, [&](std::size_t node) {
        if (tree.left[node] >= 0) return;
        found.lower = std::min(found.lower, values[node]);
        found.upper = std::max(found.upper, values[node]);
    });
    return found;
}

// Whether a split separates present values, and not only missing ones (see split/bounds.hpp).
bool tells_values_apart(const TreeShape& tree, std::span<const std::int32_t> parents,
                        std::size_t number) {
    // Every value is at most +infinity; -infinity is an ordinary value.
    if (tree.threshold[number] == Bounds{}.upper) return false;
    for (auto child = static_cast<std::int32_t>(number), above = parents[number]; above >= 0;
         child = above, above = parents[static_cast<std::size_t>(above)]) {
        const auto i = static_cast<std::size_t>(above);
        if (tree.feature[i] != tree.feature[number]) continue;
        const double border = tree.threshold[i], own = tree.threshold[number];
        if (tree.left[i] == child ? border <= own : border >= own) return false;
    }
    return true;
}

} // namespace

TreeShape shape_of(const TreeArrays& arrays, std::size_t begin, std::size_t n) {
    return {std::span(arrays.feature).subspan(begin, n), std::span(arrays.left).subspan(begin, n),
            std::span(arrays.right).subspan(begin, n),
            std::span(arrays.threshold).subspan(begin, n)};
}

void make_leaves_monotone(const TreeShape& tree, std::span<const std::int8_t> directions,
                          std::span<double> values) {
    const std::size_t n = tree.feature.size();
    std::vector<std::int32_t> parents(n, -1);
    for (std::size_t i = 0; i < n; ++i) {
        if (tree.left[i] < 0) continue;
        parents[static_cast<std::size_t>(tree.left[i])] = static_cast<std::int32_t>(i);
        parents[static_cast<std::size_t>(tree.right[i])] = static_cast<std::int32_t>(i);
    }
    // Children come after their parent.
    for (std::size_t i = n; i-- > 0;) {
        if (tree.left[i] < 0) continue;
        const int direction = directions[static_cast<std::size_t>(tree.feature[i])];
        if (direction == 0 || !tells_values_apart(tree, parents, i)) continue;
        auto low = static_cast<std::size_t>(tree.left[i]),
             high = static_cast<std::size_t>(tree.right[i]);
        if (direction < 0) std::swap(low, high);
        const double top = leaves_below(tree, values, low).upper,
                     bottom = leaves_below(tree, values, high).lower;
        if (!(top > bottom)) continue;
        const double line = 0.5 * top + 0.5 * bottom;
        for_subtree(tree, low,
                    [&](std::size_t node) { values[node] = std::min(values[node], line); });
        for_subtree(tree, high,
                    [&](std::size_t node) { values[node] = std::max(values[node], line); });
    }
}

} // namespace ceiba
