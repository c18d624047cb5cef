#include "model/walker.hpp"

#include "data/decision.hpp"
#include "model/level.hpp"
#include "tree/linear_part.hpp"

#include <algorithm>
#include <limits>

namespace ceiba {

namespace {

constexpr int kTreesAtOnce = 8;

} // namespace

Walker::Walker(const TreeArrays& a, std::span<const double> factors, std::int64_t n_features,
               std::int64_t n_outputs)
    : arrays_(a), n_features_(n_features), n_outputs_(n_outputs), leaf_width_(a.leaf_width),
      offsets_(a.tree_offsets.begin(), a.tree_offsets.end()), nodes_(a.feature.size()),
      values_(a.value.size()), names_(a.feature.size()) {
    for (std::int64_t tree = 0; tree < a.n_trees(); ++tree) {
        const std::int64_t first = offsets_[tree];
        const double factor = factors.empty() ? 1.0 : factors[static_cast<std::size_t>(tree)];
        Node* nodes = nodes_.data() + first;
        std::int32_t* names = names_.data() + first;
        names[0] = 0;
        std::int32_t used = 1;
        // Breadth first: `names` is also the queue.
        for (std::int32_t at = 0; at < used; ++at) {
            const std::int64_t i = first + names[at];
            for (std::int64_t k = 0; k < leaf_width_; ++k)
                values_[(first + at) * leaf_width_ + k] = a.value[i * leaf_width_ + k] * factor;
            if (a.feature[i] < 0) {
                nodes[at] = {{std::numeric_limits<double>::infinity()}, 0, at, 0};
                continue;
            }
            nodes[at] = {{a.threshold[i]},
                         static_cast<std::uint32_t>(a.feature[i]),
                         used,
                         a.missing_left[i] ? 0u : 1u};
            if (a.splits_by_set(i)) {
                nodes[at].name = i;
                nodes[at].feature |= kBySet;
            }
            names[used] = a.left[i];
            names[used + 1] = a.right[i];
            used += 2;
        }
    }
}

bool Walker::is_outside(const Node& node, double x) const {
    if (x != x) return false; // missing: as with a threshold
    return !is_in(arrays_.set_at(node.name), static_cast<std::uint64_t>(level_of(x)));
}

template <bool kSets, class Visit>
void Walker::walk_trees(const double* row, std::int64_t tree_begin, std::int64_t tree_end,
                        Visit visit) const {
    for (std::int64_t tree = tree_begin; tree < tree_end; tree += kTreesAtOnce) {
        const int n = static_cast<int>(std::min<std::int64_t>(kTreesAtOnce, tree_end - tree));
        const Node* roots[kTreesAtOnce];
        std::int32_t at[kTreesAtOnce] = {};
        // If fewer trees are left, the last one is walked several times.
        for (int k = 0; k < kTreesAtOnce; ++k)
            roots[k] = nodes_.data() + offsets_[tree + std::min(k, n - 1)];
        for (std::int32_t moved = 1; moved;) {
            moved = 0;
            for (int k = 0; k < kTreesAtOnce; ++k) {
                const Node node = roots[k][at[k]];
                const bool by_set = kSets && (node.feature & kBySet) != 0;
                const double x = row[kSets ? node.feature & ~kBySet : node.feature];
                const bool missing = x != x;
                const std::int32_t right =
                    static_cast<std::int32_t>(by_set ? is_outside(node, x) : x > node.threshold) |
                    static_cast<std::int32_t>(missing & (node.missing_right != 0));
                const std::int32_t next = node.left + right;
                moved |= next ^ at[k];
                at[k] = next;
            }
        }
        for (int k = 0; k < n; ++k) visit(tree + k, offsets_[tree + k] + at[k]);
    }
}

template <class Visit>
void Walker::walk(const double* row, std::int64_t tree_begin, std::int64_t tree_end,
                  Visit visit) const {
    if (arrays_.has_sets())
        walk_trees<true>(row, tree_begin, tree_end, visit);
    else
        walk_trees<false>(row, tree_begin, tree_end, visit);
}

double Walker::added(std::int64_t tree, std::int64_t node, std::int64_t output,
                     const double* row) const {
    return add_linear_part(arrays_, offsets_[tree] + names_[node], output, true,
                           [&](std::int32_t feature) { return row[feature]; });
}

void Walker::add(const RowSource& rows, std::int64_t first, std::int64_t last,
                 std::int64_t tree_begin, std::int64_t tree_end, double* scores) const {
    std::vector<double> scratch(static_cast<std::size_t>(n_features_) + 1);
    for (std::int64_t row = first; row < last; ++row, scores += n_outputs_) {
        const double* values =
            n_features_ ? read_row(rows, row, n_features_, scratch.data()) : scratch.data();
        if (arrays_.has_linear_leaves()) {
            walk(values, tree_begin, tree_end, [&](std::int64_t tree, std::int64_t node) {
                const std::int64_t first = leaf_width_ > 1 ? 0 : tree % n_outputs_;
                for (std::int64_t output = 0; output < leaf_width_; ++output)
                    scores[first + output] += added(tree, node, output, values);
            });
        } else if (n_outputs_ == 1) {
            double sum = *scores;
            walk(values, tree_begin, tree_end,
                 [&](std::int64_t, std::int64_t node) { sum += values_[node]; });
            *scores = sum;
        } else if (leaf_width_ == 1) {
            walk(values, tree_begin, tree_end, [&](std::int64_t tree, std::int64_t node) {
                scores[tree % n_outputs_] += values_[node];
            });
        } else {
            walk(values, tree_begin, tree_end, [&](std::int64_t, std::int64_t node) {
                const double* leaf = values_.data() + node * leaf_width_;
                for (std::int64_t output = 0; output < leaf_width_; ++output)
                    scores[output] += leaf[output];
            });
        }
    }
}

void Walker::apply(const RowSource& rows, std::int64_t first, std::int64_t last,
                   std::int64_t tree_begin, std::int64_t tree_end, std::int32_t* leaves,
                   std::int64_t leaves_per_row) const {
    std::vector<double> scratch(static_cast<std::size_t>(n_features_) + 1);
    for (std::int64_t row = first; row < last; ++row, leaves += leaves_per_row) {
        const double* values =
            n_features_ ? read_row(rows, row, n_features_, scratch.data()) : scratch.data();
        walk(values, tree_begin, tree_end, [&](std::int64_t tree, std::int64_t node) {
            leaves[tree - tree_begin] = names_[node];
        });
    }
}

} // namespace ceiba
