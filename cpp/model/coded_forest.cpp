#include "model/coded_forest.hpp"

#include "base/interrupt.hpp"
#include "model/segment_needs.hpp"

#include <algorithm>
#include <bit>
#include <iterator>
#include <span>
#include <utility>

namespace ceiba {

namespace {

constexpr int kMostLeaves = 256;
constexpr int kMostLevels = 8;
// So that the place of a byte in the planes of a block fits into 31 bits.
constexpr std::int32_t kMostPlanes = (1 << 23) - 1;
// Levels of a large tree that run as slots: each further one costs twice the splits.
constexpr int kFirstLevels = 6;

} // namespace

class CodedForestBuilder {
  public:
    CodedForestBuilder(CodedForest& out, const TreeArrays& arrays, std::span<const double> factors)
        : out_(out), a_(arrays), factors_(factors), needs_(arrays, out.n_features_) {}

    void build() {
        reserve();
        std::int64_t begin = 0;
        for (std::int64_t tree = 0; tree < a_.n_trees(); ++tree) {
            if (needs_.take(tree)) continue;
            finish_segment(begin, tree);
            begin = tree;
            if (needs_.take(tree)) continue;
            leave_to_walker(tree);
            begin = tree + 1;
        }
        finish_segment(begin, a_.n_trees());
    }

  private:
    // Avoid copying large arrays of nodes while they grow.
    void reserve() {
        std::int64_t n_walked = 0, n_leaves = 0;
        for (std::int64_t tree = 0; tree < a_.n_trees(); ++tree) {
            const std::int64_t n = a_.tree_offsets[tree + 1] - a_.tree_offsets[tree];
            if ((n + 1) / 2 > kMostLeaves)
                n_walked += n;
            else
                n_leaves += (n + 1) / 2;
        }
        std::int64_t width = 0;
        for (const OutputGroup& group : out_.groups_) width += group.width;
        out_.nodes_.reserve(static_cast<std::size_t>(n_walked));
        out_.node_names_.reserve(static_cast<std::size_t>(n_walked));
        // Values of a tree begin at a multiple of four.
        out_.values_.reserve(
            static_cast<std::size_t>((n_walked + n_leaves) * width + 4 * a_.n_trees()));
    }

    void leave_to_walker(std::int64_t tree) {
        out_.needs_walker_ = true;
        if (!out_.segments_.empty() && !out_.segments_.back().coded) {
            out_.segments_.back().tree_end = tree + 1;
            return;
        }
        Segment segment;
        segment.tree_begin = tree;
        segment.tree_end = tree + 1;
        segment.coded = false;
        out_.segments_.push_back(std::move(segment));
    }

    void finish_segment(std::int64_t begin, std::int64_t end) {
        if (begin == end) return;
        Segment segment;
        segment.tree_begin = begin;
        segment.tree_end = end;
        segment.coded = true;
        needs_.make_coders(segment);
        segment.coder_of.assign(static_cast<std::size_t>(out_.n_features_), -1);
        segment.has_coder.assign(static_cast<std::size_t>(out_.n_features_) / 64 + 1, 0);
        for (std::size_t c = 0; c < segment.coders.size(); ++c) {
            const auto feature = static_cast<std::size_t>(segment.coders[c].feature);
            segment.coder_of[feature] = static_cast<std::int32_t>(c);
            segment.has_coder[feature / 64] |= std::uint64_t{1} << (feature % 64);
        }
        if (segment.n_planes > kMostPlanes) {
            for (std::int64_t tree = begin; tree < end; ++tree) leave_to_walker(tree);
        } else {
            const std::int64_t n = out_.n_outputs_ / a_.leaf_width;
            for (std::int64_t place = 0; place < n; ++place) {
                segment.place_begin.push_back(segment.trees.size());
                std::int64_t tree = begin + (place + n - begin % n) % n;
                for (; tree < end; tree += n) {
                    check_interrupt();
                    segment.trees.push_back(compile(tree));
                }
            }
            segment.place_begin.push_back(segment.trees.size());
            out_.segments_.push_back(std::move(segment));
        }
        needs_.clear();
    }

    CodedTree compile(std::int64_t tree) {
        const std::int64_t first = a_.tree_offsets[tree];
        const std::int64_t n_leaves = (a_.tree_offsets[tree + 1] - first + 1) / 2;
        if (n_leaves > kMostLeaves) return compile_walk(tree);
        CodedTree coded{TreeKind::levels,
                        tree,
                        std::ssize(out_.splits_),
                        std::ssize(out_.leaf_names_),
                        0,
                        0,
                        static_cast<std::int32_t>(n_leaves),
                        0,
                        {}};
        out_.leaf_names_.resize(out_.leaf_names_.size() + static_cast<std::size_t>(n_leaves));
        std::int32_t* leaves = out_.leaf_names_.data() + coded.first_leaf;
        if (!compile_levels(first, n_leaves, leaves)) {
            coded.kind = TreeKind::slots;
            compile_slots(first, kMostLeaves, leaves);
        }
        coded.first_value = add_values(tree, {leaves, static_cast<std::size_t>(n_leaves)});
        coded.line =
            out_.linear_leaves_.add_tree(first, {leaves, static_cast<std::size_t>(n_leaves)});
        coded.n_splits = static_cast<std::int32_t>(out_.splits_.size() - coded.first_split);
        return coded;
    }

    // Add the values of some nodes of a tree, group after group; returns where they begin.
    std::int64_t add_values(std::int64_t tree, std::span<const std::int32_t> nodes) {
        auto& values = out_.values_;
        const std::int64_t begin = std::ssize(values), first = a_.tree_offsets[tree];
        const double factor = factors_.empty() ? 1.0 : factors_[static_cast<std::size_t>(tree)];
        for (const OutputGroup& group : out_.groups_) {
            for (const std::int32_t node : nodes) {
                const double* value = a_.value.data() + (first + node) * a_.leaf_width;
                for (std::int64_t k = group.first; k < group.first + group.width; ++k)
                    values.push_back(k < a_.leaf_width ? value[k] * factor : 0.0);
            }
        }
        // Groups of four begin at a multiple of four.
        if (a_.leaf_width > 1) values.resize((values.size() + 3) / 4 * 4);
        return begin;
    }

    // Compile level by level; false at the first node that differs from its level.
    bool compile_levels(std::int64_t first, std::int64_t n_leaves, std::int32_t* leaves) {
        const int n_levels = std::bit_width(static_cast<std::uint64_t>(n_leaves)) - 1;
        if (n_leaves != std::int64_t{1} << n_levels || n_levels > kMostLevels) return false;
        std::vector<std::int32_t> level{0}; // level[b]: the node reached by the path bits b
        std::vector<CodedSplit> splits;
        for (int depth = 0; depth < n_levels; ++depth) {
            for (const std::int32_t node : level)
                if (a_.feature[first + node] < 0) return false;
            splits.push_back(needs_.split_of(first + level[0]));
            for (const std::int32_t node : level) {
                const CodedSplit split = needs_.split_of(first + node);
                if (split.plane != splits.back().plane || split.code != splits.back().code)
                    return false;
            }
            splits.back().change = static_cast<std::uint8_t>(1 << depth);
            const std::size_t width = level.size();
            level.resize(2 * width);
            for (std::size_t b = 0; b < width; ++b) {
                const std::int64_t i = first + level[b];
                level[b] = a_.left[i];
                level[b + width] = a_.right[i];
            }
        }
        for (const std::int32_t node : level) {
            if (a_.feature[first + node] >= 0) return false;
        }
        out_.splits_.insert(out_.splits_.end(), splits.begin(), splits.end());
        std::copy(level.begin(), level.end(), leaves);
        return true;
    }

    // The splits of the first levels; `ends` receives the leaf, or the node below them, of each
    // slot.
    void compile_slots(std::int64_t first, int n_levels, std::int32_t* ends) {
        struct Open {
            std::int32_t node;
            int slot, level;
        };
        std::vector<Open> open{{0, 0, 0}};
        int n_slots = 1;
        while (!open.empty()) {
            const auto [node, slot, level] = open.back();
            open.pop_back();
            const std::int64_t i = first + node;
            if (a_.feature[i] < 0 || level == n_levels) {
                ends[slot] = node;
                continue;
            }
            CodedSplit split = needs_.split_of(i);
            split.slot = static_cast<std::uint8_t>(slot);
            split.change = static_cast<std::uint8_t>(slot ^ n_slots);
            out_.splits_.push_back(split);
            open.push_back({a_.right[i], n_slots++, level + 1});
            open.push_back({a_.left[i], slot, level + 1});
        }
    }

    CodedTree compile_walk(std::int64_t tree) {
        const std::int64_t first = a_.tree_offsets[tree];
        const auto start = static_cast<std::int64_t>(out_.nodes_.size());
        // Depth first, siblings adjacent: the nodes of a subtree are close together.
        std::vector<std::int32_t> names{0}, open{0}; // open: nodes to visit
        out_.nodes_.resize(out_.nodes_.size() + 1);
        while (!open.empty()) {
            const std::int32_t at = open.back();
            open.pop_back();
            const std::int64_t i = first + names[static_cast<std::size_t>(at)];
            CodedNode* nodes = out_.nodes_.data() + start;
            if (a_.feature[i] < 0) {
                nodes[at] = {0, 127, at};
                continue;
            }
            const CodedSplit split = needs_.split_of(i);
            const auto left = static_cast<std::int32_t>(names.size());
            nodes[at] = {split.plane, split.code, left};
            names.push_back(a_.left[i]);
            names.push_back(a_.right[i]);
            out_.nodes_.resize(out_.nodes_.size() + 2);
            open.push_back(left + 1);
            open.push_back(left);
        }
        out_.has_large_trees_ = true;
        out_.node_names_.insert(out_.node_names_.end(), names.begin(), names.end());
        CodedTree coded{TreeKind::walk,
                        tree,
                        std::ssize(out_.splits_),
                        start,
                        add_values(tree, names),
                        0,
                        static_cast<std::int32_t>(names.size()),
                        std::ssize(out_.starts_),
                        out_.linear_leaves_.add_tree(first, names)};
        std::int32_t ends[1 << kFirstLevels];
        compile_slots(first, kFirstLevels, ends);
        coded.n_splits = static_cast<std::int32_t>(std::ssize(out_.splits_) - coded.first_split);
        std::vector<std::int32_t> places(names.size());
        for (std::size_t at = 0; at < names.size(); ++at)
            places[static_cast<std::size_t>(names[at])] = static_cast<std::int32_t>(at);
        for (int slot = 0; slot <= coded.n_splits; ++slot)
            out_.starts_.push_back(places[static_cast<std::size_t>(ends[slot])]);
        return coded;
    }

    CodedForest& out_;
    const TreeArrays& a_;
    std::span<const double> factors_; // per tree; empty: 1
    SegmentNeeds needs_;              // of the current segment
};

CodedForest::CodedForest(const TreeArrays& arrays, std::span<const double> factors,
                         std::int64_t n_features, std::int64_t n_outputs)
    : n_features_(n_features), n_outputs_(n_outputs), leaf_width_(arrays.leaf_width),
      linear_leaves_(arrays, n_features) {
    for (int first = 0, rest = static_cast<int>(leaf_width_); rest > 0; first += 4, rest -= 4)
        groups_.push_back({first, rest > 2 ? 4 : rest});
    CodedForestBuilder(*this, arrays, factors).build();
}

} // namespace ceiba
