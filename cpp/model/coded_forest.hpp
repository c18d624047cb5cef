// Trees for many rows: compiled to byte codes (see predict_kernels.hpp).
//
// The life of a coded forest:
//   1. Trees are taken in order into segments, each with at most 255 thresholds per feature. A
//      histogram model with 255 bins is one segment whatever its size. A single tree with more
//      thresholds than that has no codes: its segment is left to the Walker.
//   2. Each feature that a segment uses gets a cell table, and one or two planes: where a missing
//      value counts as above all thresholds (it goes right), and where it counts as below.
//   3. Each tree becomes splits on planes: levels if it is symmetric, slots up to 256 leaves, else
//      nodes to walk.
//   4. add() and apply() take blocks of 256 rows: encode the block, then run trees, eight at a
//   time.
//      Trees are sorted by output, so that one column of sums is in use at a time; the order of the
//      trees of one output never changes.
#pragma once

#include "model/predict_kernels.hpp"
#include "model/row_source.hpp"
#include "tree/tree_arrays.hpp"

#include <cstdint>
#include <vector>

namespace ceiba {

class Walker;

struct FeatureCoder {
    std::int32_t feature;
    std::int32_t missing_right_plane = -1, missing_left_plane = -1; // -1: not needed
    int n_thresholds = 0;
    CellTable<double> doubles;
    CellTable<float> floats;
};

enum class TreeKind : std::uint8_t { levels, slots, walk };

struct CodedTree {
    TreeKind kind;
    std::int64_t tree;                    // in the forest
    std::int64_t first_split, first_leaf; // walk: both count nodes
    std::int32_t n_splits;
};

struct Segment {
    std::int64_t tree_begin, tree_end;
    bool coded; // otherwise for the Walker
    int n_planes = 0;
    std::vector<FeatureCoder> coders;
    std::vector<CodedTree> trees;          // by output, then in order
    std::vector<std::size_t> output_begin; // n_outputs + 1 positions in `trees`
};

class CodedForest {
  public:
    CodedForest(const TreeArrays& arrays, std::int64_t n_features, std::int64_t n_outputs);

    // Rows [first, last); what row `first` owns lies at the front of scores or leaves. The walker
    // may be null unless needs_walker().
    void add(const RowSource& rows, std::int64_t first, std::int64_t last, std::int64_t tree_begin,
             std::int64_t tree_end, const Walker* walker, double* scores) const;
    void apply(const RowSource& rows, std::int64_t first, std::int64_t last,
               std::int64_t tree_begin, std::int64_t tree_end, const Walker* walker,
               std::int32_t* leaves) const;
    bool needs_walker() const { return needs_walker_; }

  private:
    friend class CodedForestBuilder;
    struct Block;

    void encode(const Segment&, const RowSource&, std::int64_t first_row, Block&) const;
    void add_block(const Segment&, std::int64_t tree_begin, std::int64_t tree_end, Block&,
                   double* scores) const;
    void apply_block(const Segment&, std::int64_t tree_begin, std::int64_t tree_end, Block&,
                     std::int32_t* leaves, std::int64_t leaves_per_row) const;

    std::int64_t n_features_, n_outputs_;
    bool needs_walker_ = false;
    std::vector<Segment> segments_;
    std::vector<CodedSplit> splits_;
    std::vector<double> leaf_values_;      // by first_leaf + slot (or level bits)
    std::vector<std::int32_t> leaf_names_; // node in the original tree
    std::vector<CodedNode> nodes_;         // of trees to walk
    std::vector<double> node_values_;
    std::vector<std::int32_t> node_names_;
};

} // namespace ceiba
