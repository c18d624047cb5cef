#include "model/coded_forest.hpp"

#include "model/cell_table.hpp"

#include <algorithm>
#include <bit>
#include <iterator>
#include <span>
#include <utility>

namespace ceiba {

namespace {

constexpr std::size_t kMostThresholds = 255;
constexpr int kMostLeaves = 256;
constexpr int kMostLevels = 8;
constexpr std::int32_t kMostPlanes = (1 << 24) - 1; // bits of CodedNode::plane

} // namespace

class CodedForestBuilder {
  public:
    CodedForestBuilder(CodedForest& out, const TreeArrays& arrays)
        : out_(out), a_(arrays), thresholds_(static_cast<std::size_t>(out.n_features_)),
          uses_(static_cast<std::size_t>(out.n_features_)) {}

    void build() {
        std::int64_t begin = 0;
        for (std::int64_t tree = 0; tree < a_.n_trees(); ++tree) {
            if (take_thresholds(tree)) continue;
            finish_segment(begin, tree);
            begin = tree;
            if (take_thresholds(tree)) continue;
            leave_to_walker(tree);
            begin = tree + 1;
        }
        finish_segment(begin, a_.n_trees());
    }

  private:
    // Adds the thresholds of a tree to the open segment, or nothing if a feature would have too
    // many.
    bool take_thresholds(std::int64_t tree) {
        std::vector<std::pair<std::int32_t, double>> added;
        for (std::int64_t i = a_.tree_offsets[tree]; i < a_.tree_offsets[tree + 1]; ++i) {
            if (a_.feature[i] < 0) continue;
            auto& sorted = thresholds_[a_.feature[i]];
            const auto place = std::lower_bound(sorted.begin(), sorted.end(), a_.threshold[i]);
            if (place != sorted.end() && *place == a_.threshold[i]) continue;
            sorted.insert(place, a_.threshold[i]);
            added.emplace_back(a_.feature[i], a_.threshold[i]);
            if (sorted.size() <= kMostThresholds) continue;
            for (const auto& [feature, threshold] : added) {
                auto& of_feature = thresholds_[feature];
                of_feature.erase(std::lower_bound(of_feature.begin(), of_feature.end(), threshold));
            }
            return false;
        }
        return true;
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
        make_coders(segment);
        if (segment.n_planes > kMostPlanes) {
            for (std::int64_t tree = begin; tree < end; ++tree) leave_to_walker(tree);
        } else {
            const std::int64_t n = a_.trees_per_iteration(out_.n_outputs_);
            for (std::int64_t place = 0; place < n; ++place) {
                segment.place_begin.push_back(segment.trees.size());
                std::int64_t tree = begin + (place + n - begin % n) % n;
                for (; tree < end; tree += n) segment.trees.push_back(compile(tree));
            }
            segment.place_begin.push_back(segment.trees.size());
            out_.segments_.push_back(std::move(segment));
        }
        for (auto& thresholds : thresholds_) thresholds.clear();
    }

    void make_coders(Segment& segment) {
        for (auto& use : uses_) use = {};
        for (std::int64_t i = a_.tree_offsets[segment.tree_begin];
             i < a_.tree_offsets[segment.tree_end]; ++i) {
            if (a_.feature[i] >= 0)
                (a_.missing_left[i] ? uses_[a_.feature[i]].left : uses_[a_.feature[i]].right) = 0;
        }
        for (std::size_t feature = 0; feature < thresholds_.size(); ++feature) {
            const auto& thresholds = thresholds_[feature];
            if (thresholds.empty()) continue;
            FeatureCoder coder;
            coder.feature = static_cast<std::int32_t>(feature);
            coder.n_thresholds = static_cast<int>(thresholds.size());
            if (uses_[feature].right == 0)
                coder.missing_right_plane = uses_[feature].right = segment.n_planes++;
            if (uses_[feature].left == 0)
                coder.missing_left_plane = uses_[feature].left = segment.n_planes++;
            coder.doubles = make_cell_table(thresholds);
            std::vector<float> rounded(thresholds.size());
            std::transform(thresholds.begin(), thresholds.end(), rounded.begin(), round_down);
            coder.floats = make_cell_table(rounded);
            segment.coders.push_back(std::move(coder));
        }
    }

    CodedSplit split_of(std::int64_t i) const {
        const auto& sorted = thresholds_[a_.feature[i]];
        const auto code =
            std::lower_bound(sorted.begin(), sorted.end(), a_.threshold[i]) - sorted.begin();
        const auto& use = uses_[a_.feature[i]];
        return {static_cast<std::uint32_t>(a_.missing_left[i] ? use.left : use.right),
                static_cast<std::int8_t>(code - 128), 0, 0};
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
                        static_cast<std::int32_t>(n_leaves)};
        out_.leaf_names_.resize(out_.leaf_names_.size() + static_cast<std::size_t>(n_leaves));
        std::int32_t* leaves = out_.leaf_names_.data() + coded.first_leaf;
        if (!compile_levels(first, n_leaves, leaves)) {
            coded.kind = TreeKind::slots;
            compile_slots(first, leaves);
        }
        coded.first_value = add_values(first, {leaves, static_cast<std::size_t>(n_leaves)});
        coded.n_splits = static_cast<std::int32_t>(out_.splits_.size() - coded.first_split);
        return coded;
    }

    // The values of some nodes of a tree, group after group; returns where they begin.
    std::int64_t add_values(std::int64_t first, std::span<const std::int32_t> nodes) {
        auto& values = out_.values_;
        const std::int64_t begin = std::ssize(values);
        for (const OutputGroup& group : out_.groups_) {
            for (const std::int32_t node : nodes) {
                const double* value = a_.value.data() + (first + node) * a_.leaf_width;
                for (std::int64_t k = group.first; k < group.first + group.width; ++k)
                    values.push_back(k < a_.leaf_width ? value[k] : 0.0);
            }
        }
        // Groups of four begin at a multiple of four.
        if (a_.leaf_width > 1) values.resize((values.size() + 3) / 4 * 4);
        return begin;
    }

    // Level by level; gives up at the first node that differs from its level.
    bool compile_levels(std::int64_t first, std::int64_t n_leaves, std::int32_t* leaves) {
        const int n_levels = std::bit_width(static_cast<std::uint64_t>(n_leaves)) - 1;
        if (n_leaves != std::int64_t{1} << n_levels || n_levels > kMostLevels) return false;
        std::vector<std::int32_t> level{0}; // level[b]: the node reached by the path bits b
        std::vector<CodedSplit> splits;
        for (int depth = 0; depth < n_levels; ++depth) {
            const std::int64_t model = first + level[0];
            for (const std::int32_t node : level) {
                const std::int64_t i = first + node;
                if (a_.feature[i] < 0 || a_.feature[i] != a_.feature[model] ||
                    a_.threshold[i] != a_.threshold[model] ||
                    a_.missing_left[i] != a_.missing_left[model])
                    return false;
            }
            splits.push_back(split_of(model));
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

    void compile_slots(std::int64_t first, std::int32_t* leaves) {
        std::vector<std::pair<std::int32_t, int>> open{{0, 0}}; // node and its slot
        int n_slots = 1;
        while (!open.empty()) {
            const auto [node, slot] = open.back();
            open.pop_back();
            const std::int64_t i = first + node;
            if (a_.feature[i] < 0) {
                leaves[slot] = node;
                continue;
            }
            CodedSplit split = split_of(i);
            split.slot = static_cast<std::uint8_t>(slot);
            split.change = static_cast<std::uint8_t>(slot ^ n_slots);
            out_.splits_.push_back(split);
            open.emplace_back(a_.right[i], n_slots++);
            open.emplace_back(a_.left[i], slot);
        }
    }

    CodedTree compile_walk(std::int64_t tree) {
        const std::int64_t first = a_.tree_offsets[tree];
        const auto start = static_cast<std::int64_t>(out_.nodes_.size());
        std::vector<std::int32_t> names{0}; // breadth first, siblings side by side
        for (std::int32_t at = 0; at < static_cast<std::int32_t>(names.size()); ++at) {
            const std::int64_t i = first + names[at];
            if (a_.feature[i] < 0) {
                out_.nodes_.push_back({0, 127, at});
                continue;
            }
            const CodedSplit split = split_of(i);
            out_.nodes_.push_back(
                {split.plane, split.code, static_cast<std::int32_t>(names.size())});
            names.push_back(a_.left[i]);
            names.push_back(a_.right[i]);
        }
        out_.node_names_.insert(out_.node_names_.end(), names.begin(), names.end());
        return {TreeKind::walk,
                tree,
                start,
                start,
                add_values(first, names),
                0,
                static_cast<std::int32_t>(names.size())};
    }

    struct Uses {
        std::int32_t right = -1, left = -1; // planes
    };

    CodedForest& out_;
    const TreeArrays& a_;
    std::vector<std::vector<double>> thresholds_; // of the open segment, sorted, by feature
    std::vector<Uses> uses_;
};

CodedForest::CodedForest(const TreeArrays& arrays, std::int64_t n_features, std::int64_t n_outputs)
    : n_features_(n_features), n_outputs_(n_outputs), leaf_width_(arrays.leaf_width) {
    for (int first = 0, rest = static_cast<int>(leaf_width_); rest > 0; first += 4, rest -= 4)
        groups_.push_back({first, rest > 2 ? 4 : rest});
    CodedForestBuilder(*this, arrays).build();
}

} // namespace ceiba
