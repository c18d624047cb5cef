#include "explain/row_sides.hpp"

#include "data/decision.hpp"
#include "explain/share_kernels.hpp"
#include "model/level.hpp"
#include "model/segment_needs.hpp"

#include <algorithm>
#include <utility>

namespace ceiba {

RowSides::RowSides(const TreeArrays& arrays, std::int64_t n_features, std::int64_t tree_begin,
                   std::int64_t tree_end)
    : arrays_(arrays), first_node_(arrays.tree_offsets[tree_begin]),
      splits_(static_cast<std::size_t>(arrays.tree_offsets[tree_end] - first_node_)) {
    SegmentNeeds needs(arrays, n_features);
    const auto finish = [&](std::int64_t begin, std::int64_t end) {
        if (begin == end) return;
        Segment segment;
        segment.tree_begin = begin;
        segment.tree_end = end;
        segment.coded = true;
        needs.make_coders(segment);
        most_planes_ = std::max(most_planes_, segment.n_planes);
        for (std::int64_t i = arrays_.tree_offsets[begin]; i < arrays_.tree_offsets[end]; ++i)
            if (arrays_.feature[i] >= 0)
                splits_[static_cast<std::size_t>(i - first_node_)] = needs.split_of(i);
        segments_.push_back(std::move(segment));
        needs.clear();
    };
    std::int64_t begin = tree_begin;
    for (std::int64_t tree = tree_begin; tree < tree_end; ++tree) {
        if (needs.take(tree)) continue;
        finish(begin, tree);
        begin = tree;
        if (needs.take(tree)) continue;
        Segment alone;
        alone.tree_begin = tree;
        alone.tree_end = begin = tree + 1;
        alone.coded = false;
        segments_.push_back(std::move(alone));
    }
    finish(begin, tree_end);
}

void RowSides::encode(const Segment& segment, const RowSource& rows, std::int64_t first, int n_rows,
                      BlockOfRows& block) const {
    block.rows = &rows;
    block.first = first;
    block.coded.n_rows = n_rows;
    block.coded.n_padded = whole_groups(n_rows);
    if (segment.coded) ceiba::encode(segment, rows, first, block.coded);
}

void RowSides::of_tree(const Segment& segment, std::int64_t tree, BlockOfRows& block,
                       std::int64_t stride, std::int8_t* sides) const {
    const std::int64_t first = arrays_.tree_offsets[tree], last = arrays_.tree_offsets[tree + 1];
    for (std::int64_t i = first; i < last; ++i) {
        if (arrays_.feature[i] < 0) continue;
        if (segment.coded) {
            const CodedSplit& split = splits_[static_cast<std::size_t>(i - first_node_)];
            share_kernels().compare(block.coded.planes.data() +
                                        std::int64_t{split.plane} * kBlockRows,
                                    split.code, block.coded.n_padded, sides);
        } else {
            by_value(i, block, sides);
        }
        sides += stride;
    }
}

void RowSides::by_value(std::int64_t i, BlockOfRows& block, std::int8_t* sides) const {
    const int n_rows = block.coded.n_rows;
    read_values(block.rows->column(arrays_.feature[i]), block.first, n_rows, block.values.data());
    const bool by_set = arrays_.splits_by_set(i), missing_left = arrays_.missing_left[i] != 0;
    for (int row = 0; row < n_rows; ++row) {
        const double x = block.values[static_cast<std::size_t>(row)];
        bool left = x <= arrays_.threshold[i];
        if (by_set) left = is_in(arrays_.set_at(i), static_cast<std::uint64_t>(level_of(x)));
        if (x != x) left = missing_left;
        sides[row] = left ? std::int8_t{-1} : std::int8_t{0};
    }
    std::fill(sides + n_rows, sides + block.coded.n_padded, std::int8_t{0});
}

} // namespace ceiba
