// The side of rows at every split of a tree, whether or not they reach it.
//
// The life of the sides:
//   1. The trees of a range are divided into segments whose splits are codes of one byte
//      (model/segment_needs.hpp). A tree without codes is a segment of its own and compares raw
//      values.
//   2. encode() converts a block of rows to the planes of a segment, once for all of its trees.
//   3. of_tree() compares: sides[split * stride + row] is -1 if the row goes left, 0 if right.
#pragma once

#include "model/coded_block.hpp"
#include "model/coded_forest.hpp"
#include "tree/tree_arrays.hpp"

#include <cstdint>
#include <vector>

namespace ceiba {

// Buffers for a block of rows; each thread has its own.
struct BlockOfRows {
    explicit BlockOfRows(int n_planes) : coded(n_planes, 1), values(kBlockRows) {}

    const RowSource* rows = nullptr;
    std::int64_t first = 0;
    CodedBlock coded;
    std::vector<double> values; // of one column, for trees without codes
};

class RowSides {
  public:
    // The arrays must outlive it.
    RowSides(const TreeArrays& arrays, std::int64_t n_features, std::int64_t tree_begin,
             std::int64_t tree_end);

    const std::vector<Segment>& segments() const { return segments_; }
    int most_planes() const { return most_planes_; }
    // Number of splits of a tree; they are numbered in the order of its nodes.
    std::int64_t n_splits(std::int64_t tree) const {
        return (arrays_.tree_offsets[tree + 1] - arrays_.tree_offsets[tree]) / 2;
    }

    void encode(const Segment& segment, const RowSource& rows, std::int64_t first, int n_rows,
                BlockOfRows& block) const;
    // sides[split * stride + row] for the padded rows of the block.
    void of_tree(const Segment& segment, std::int64_t tree, BlockOfRows& block, std::int64_t stride,
                 std::int8_t* sides) const;

  private:
    void by_value(std::int64_t node, BlockOfRows& block, std::int8_t* sides) const;

    const TreeArrays& arrays_;
    std::int64_t first_node_;
    std::vector<Segment> segments_;
    std::vector<CodedSplit> splits_; // of the nodes from first_node_ on
    int most_planes_ = 0;
};

} // namespace ceiba
