// Runs a coded forest over blocks of rows.
#include "base/cpu.hpp"
#include "base/interrupt.hpp"
#include "model/coded_block.hpp"
#include "model/walker.hpp"

#include <algorithm>
#include <span>
#include <utility>

namespace ceiba {

const PredictKernels& predict_kernels() {
    return use_avx2() ? avx2::kPredictKernels : baseline::kPredictKernels;
}

namespace {

// Nodes of a tree that fills half of an L2 cache.
constexpr std::int64_t kLargeTree = 16384;

// The trees of one place in the iteration within [tree_begin, tree_end).
std::span<const CodedTree> trees_of(const Segment& segment, std::size_t place,
                                    std::int64_t tree_begin, std::int64_t tree_end) {
    const CodedTree* first = segment.trees.data() + segment.place_begin[place];
    const CodedTree* last = segment.trees.data() + segment.place_begin[place + 1];
    const auto before = [](const CodedTree& tree, std::int64_t t) { return tree.tree < t; };
    first = std::lower_bound(first, last, tree_begin, before);
    return {first, std::lower_bound(first, last, tree_end, before)};
}

// The sums of a group of outputs: all rows of the block, group after group.
double* sums_of(double* sums, const OutputGroup& group) {
    return sums + std::int64_t{group.first} * kBlockRows;
}

// Call copy(score, sum) for the numbers of the outputs of the trees of one place.
template <class Copy>
void with_sums(std::span<const OutputGroup> groups, std::int64_t leaf_width, std::int64_t n_outputs,
               int n_rows, double* scores, double* sums, Copy copy) {
    for (const OutputGroup& group : groups) {
        double* own = sums_of(sums, group);
        if (group.width == 1) {
            for (std::int64_t row = 0; row < n_rows; ++row)
                copy(scores[row * n_outputs + group.first], own[row]);
            continue;
        }
        const std::int64_t width = std::min<std::int64_t>(group.width, leaf_width - group.first);
        for (std::int64_t row = 0; row < n_rows; ++row)
            for (std::int64_t k = 0; k < width; ++k)
                copy(scores[row * n_outputs + group.first + k], own[row * group.width + k]);
    }
}

} // namespace

void CodedForest::add_block(const Segment& segment, std::int64_t tree_begin, std::int64_t tree_end,
                            CodedBlock& block, double* scores) const {
    check_interrupt();
    const PredictKernels& kernels = block.kernels;
    const std::int8_t* planes = block.planes.data();
    const std::int64_t n_places = n_outputs_ / leaf_width_;
    const CodedTree* waiting[kTreesAtOnce];
    for (std::int64_t place = 0; place < n_places; ++place) {
        double* sums = n_outputs_ == 1 ? scores : block.sums.data();
        double* outputs = scores + place * leaf_width_;
        if (n_outputs_ > 1)
            with_sums(groups_, leaf_width_, n_outputs_, block.n_rows, outputs, sums,
                      [](double score, double& sum) { sum = score; });
        int n_waiting = 0;
        const auto flush = [&] {
            for (const OutputGroup& group : groups_) {
                const double* tables[kTreesAtOnce];
                for (int t = 0; t < n_waiting; ++t)
                    tables[t] = values_.data() + waiting[t]->first_value +
                                std::int64_t{waiting[t]->n_leaves} * group.first;
                kernels.add_leaves(tables, n_waiting, block.leaves, block.n_rows, group.width,
                                   sums_of(sums, group));
            }
            n_waiting = 0;
        };
        for (const CodedTree& tree :
             trees_of(segment, static_cast<std::size_t>(place), tree_begin, tree_end)) {
            if (tree.kind == TreeKind::walk) {
                flush();
                walk(tree, block);
                if (linear_leaves_.any())
                    add_linear_leaves(tree, block, block.nodes, sums);
                else
                    add_nodes(tree, block, sums);
                continue;
            }
            const auto run =
                tree.kind == TreeKind::levels ? kernels.split_levels : kernels.split_slots;
            run(splits_.data() + tree.first_split, tree.n_splits, planes, block.n_padded,
                block.leaves + n_waiting * kBlockRows);
            if (linear_leaves_.any()) {
                add_linear_leaves(tree, block, block.leaves, sums);
                continue;
            }
            waiting[n_waiting++] = &tree;
            if (n_waiting == kTreesAtOnce) flush();
        }
        flush();
        if (n_outputs_ > 1)
            with_sums(groups_, leaf_width_, n_outputs_, block.n_rows, outputs, sums,
                      [](double& score, double sum) { score = sum; });
    }
}

// Uses the leaves of the block as buffer.
void CodedForest::walk(const CodedTree& tree, CodedBlock& block) const {
    const std::int8_t* planes = block.planes.data();
    block.kernels.split_slots(splits_.data() + tree.first_split, tree.n_splits, planes,
                              block.n_padded, block.leaves);
    const std::int32_t* starts = starts_.data() + tree.first_start;
    for (int row = 0; row < block.n_padded; ++row) block.nodes[row] = starts[block.leaves[row]];
    block.kernels.walk(nodes_.data() + tree.first_leaf, planes, block.n_padded, block.nodes);
}

void CodedForest::add_nodes(const CodedTree& tree, const CodedBlock& block, double* sums) const {
    for (const OutputGroup& group : groups_) {
        const double* values =
            values_.data() + tree.first_value + std::int64_t{tree.n_leaves} * group.first;
        double* own = sums_of(sums, group);
        if (group.width == 1) {
            for (int row = 0; row < block.n_rows; ++row) own[row] += values[block.nodes[row]];
            continue;
        }
        for (int row = 0; row < block.n_rows; ++row)
            for (int k = 0; k < group.width; ++k)
                own[row * group.width + k] +=
                    values[std::int64_t{block.nodes[row]} * group.width + k];
    }
}

template <class Leaf>
void CodedForest::add_linear_leaves(const CodedTree& tree, const CodedBlock& block,
                                    const Leaf* leaves, double* sums) const {
    for (const OutputGroup& group : groups_) {
        const double* values =
            values_.data() + tree.first_value + std::int64_t{tree.n_leaves} * group.first;
        const int width = std::min(group.width, static_cast<int>(leaf_width_) - group.first);
        linear_leaves_.add(tree.line, leaves, block.linear_leaves, block.n_rows, values,
                           group.first, width, group.width, sums_of(sums, group));
    }
}

void CodedForest::apply_block(const Segment& segment, std::int64_t tree_begin,
                              std::int64_t tree_end, CodedBlock& block, std::int32_t* leaves,
                              std::int64_t leaves_per_row) const {
    const PredictKernels& kernels = block.kernels;
    const std::int8_t* planes = block.planes.data();
    for (const CodedTree& tree : segment.trees) {
        if (tree.tree < tree_begin || tree.tree >= tree_end) continue;
        std::int32_t* out = leaves + (tree.tree - tree_begin);
        if (tree.kind == TreeKind::walk) {
            walk(tree, block);
            const std::int32_t* names = node_names_.data() + tree.first_leaf;
            for (int row = 0; row < block.n_rows; ++row)
                out[row * leaves_per_row] = names[block.nodes[row]];
            continue;
        }
        const auto run = tree.kind == TreeKind::levels ? kernels.split_levels : kernels.split_slots;
        run(splits_.data() + tree.first_split, tree.n_splits, planes, block.n_padded, block.leaves);
        const std::int32_t* names = leaf_names_.data() + tree.first_leaf;
        for (int row = 0; row < block.n_rows; ++row)
            out[row * leaves_per_row] = names[block.leaves[row]];
    }
}

namespace {

// Call run(segment, first_row, n_rows) for every segment of every block of rows [first, last).
template <class Run>
void for_blocks(std::span<const Segment> segments, std::int64_t first, std::int64_t last,
                std::int64_t tree_begin, std::int64_t tree_end, Run run) {
    for (std::int64_t row = first; row < last; row += kBlockRows) {
        const auto n_rows = static_cast<int>(std::min<std::int64_t>(kBlockRows, last - row));
        for (const Segment& segment : segments) {
            if (segment.tree_begin < tree_end && segment.tree_end > tree_begin)
                run(segment, row, n_rows);
        }
    }
}

int most_planes(const std::vector<Segment>& segments) {
    int most = 0;
    for (const Segment& segment : segments) most = std::max(most, segment.n_planes);
    return most;
}

} // namespace

// Call run(block, first_row, tree_begin, tree_end) so that a few trees at a time run over all rows.
template <class Run>
void CodedForest::run_large(const RowSource& rows, std::int64_t first, std::int64_t last,
                            std::int64_t tree_begin, std::int64_t tree_end, const Segment& segment,
                            CodedBlock& block, Run run) const {
    std::vector<std::vector<std::int8_t>> planes;
    const auto with_block = [&](std::int64_t row, std::vector<std::int8_t>& own, auto work) {
        block.n_rows = static_cast<int>(std::min<std::int64_t>(kBlockRows, last - row));
        block.n_padded = whole_groups(block.n_rows);
        std::swap(block.planes, own);
        work();
        std::swap(block.planes, own);
    };
    for (std::int64_t row = first; row < last; row += kBlockRows) {
        planes.emplace_back(block.planes.size());
        with_block(row, planes.back(), [&] { encode(segment, rows, row, block); });
    }
    const std::int64_t end = std::min(tree_end, segment.tree_end),
                       n_nodes = std::ssize(nodes_) / std::max<std::int64_t>(1, end),
                       step = n_nodes > kLargeTree ? 1 : kTreesAtOnce;
    for (std::int64_t tree = std::max(tree_begin, segment.tree_begin); tree < end; tree += step) {
        std::size_t at = 0;
        for (std::int64_t row = first; row < last; row += kBlockRows)
            with_block(row, planes[at++],
                       [&] { run(block, row, tree, std::min(end, tree + step)); });
    }
}

void CodedForest::add(const RowSource& rows, std::int64_t first, std::int64_t last,
                      std::int64_t tree_begin, std::int64_t tree_end, const Walker* walker,
                      double* scores) const {
    CodedBlock block(most_planes(segments_), leaf_width_);
    const auto by_block = [&](const Segment& segment, std::int64_t row, int n_rows) {
        double* of_block = scores + (row - first) * n_outputs_;
        if (!segment.coded) {
            walker->add(rows, row, row + n_rows, std::max(tree_begin, segment.tree_begin),
                        std::min(tree_end, segment.tree_end), of_block);
            return;
        }
        block.n_rows = n_rows;
        block.n_padded = whole_groups(n_rows);
        encode(segment, rows, row, block);
        if (linear_leaves_.any()) linear_leaves_.read(rows, row, n_rows, block.linear_leaves);
        add_block(segment, tree_begin, tree_end, block, of_block);
    };
    if (!has_large_trees_ || linear_leaves_.any())
        return for_blocks(segments_, first, last, tree_begin, tree_end, by_block);
    for (const Segment& segment : segments_) {
        if (segment.tree_begin >= tree_end || segment.tree_end <= tree_begin) continue;
        if (!segment.coded) {
            for_blocks({&segment, 1}, first, last, tree_begin, tree_end, by_block);
            continue;
        }
        run_large(rows, first, last, tree_begin, tree_end, segment, block,
                  [&](CodedBlock& own, std::int64_t row, std::int64_t begin, std::int64_t end) {
                      add_block(segment, begin, end, own, scores + (row - first) * n_outputs_);
                  });
    }
}

void CodedForest::apply(const RowSource& rows, std::int64_t first, std::int64_t last,
                        std::int64_t tree_begin, std::int64_t tree_end, const Walker* walker,
                        std::int32_t* leaves) const {
    const std::int64_t leaves_per_row = tree_end - tree_begin;
    CodedBlock block(most_planes(segments_), leaf_width_);
    const auto by_block = [&](const Segment& segment, std::int64_t row, int n_rows) {
        std::int32_t* of_block = leaves + (row - first) * leaves_per_row;
        if (!segment.coded) {
            const std::int64_t from = std::max(tree_begin, segment.tree_begin);
            walker->apply(rows, row, row + n_rows, from, std::min(tree_end, segment.tree_end),
                          of_block + (from - tree_begin), leaves_per_row);
            return;
        }
        block.n_rows = n_rows;
        block.n_padded = whole_groups(n_rows);
        encode(segment, rows, row, block);
        apply_block(segment, tree_begin, tree_end, block, of_block, leaves_per_row);
    };
    if (!has_large_trees_)
        return for_blocks(segments_, first, last, tree_begin, tree_end, by_block);
    for (const Segment& segment : segments_) {
        if (segment.tree_begin >= tree_end || segment.tree_end <= tree_begin) continue;
        if (!segment.coded) {
            for_blocks({&segment, 1}, first, last, tree_begin, tree_end, by_block);
            continue;
        }
        run_large(rows, first, last, tree_begin, tree_end, segment, block,
                  [&](CodedBlock& own, std::int64_t row, std::int64_t begin, std::int64_t end) {
                      apply_block(segment, begin, end, own,
                                  leaves + (row - first) * leaves_per_row + (begin - tree_begin),
                                  leaves_per_row);
                  });
    }
}

} // namespace ceiba
