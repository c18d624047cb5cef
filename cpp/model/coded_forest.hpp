// CodedForest: predictor for many rows, with trees compiled to byte codes (see
// predict_kernels.hpp).
//
// The life of a coded forest:
//   1. Trees are divided in order into segments, each with at most 255 thresholds per feature. A
//      histogram model with 255 bins is one segment whatever its size. A single tree with more
//      thresholds has no codes: its segment uses the Walker.
//   2. Each feature that a segment compares with thresholds gets a cell table, and one or two
//      planes: one in which missing values compare as above all thresholds (they go right), and one
//      in which they compare as below. Each distinct set of levels gets a plane of its own with the
//      direction.
//   3. Each tree becomes splits on planes: levels if it is symmetric, slots up to 256 leaves, else
//      nodes to walk.
//   4. add() and apply() take blocks of 256 rows: encode the block, then run trees, eight at a
//      time. Large trees would be loaded again for every block: they run over all blocks of the
//      call, one after the other. Trees are sorted by their place in the iteration (their output,
//      if each has one), so that the same sums stay in the cache; the order of the trees of one
//      output never changes.
#pragma once

#include "base/pages.hpp"
#include "model/coded_linear_leaves.hpp"
#include "model/predict_kernels.hpp"
#include "model/row_source.hpp"
#include "tree/tree_arrays.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace ceiba {

class Walker;
struct CodedBlock;

struct FeatureCoder {
    std::int32_t feature;
    std::int32_t missing_right_plane = -1, missing_left_plane = -1; // -1: not needed
    int n_thresholds = 0;
    CellTable<double> doubles;
    CellTable<float> floats;
};

// Lookup table of the direction of each level in every set of a feature.
//
//   bits   level 0      | sets 0-7 | sets 8-15 | ...     1: the level is in the set and goes left
//          level 1      | ...
//          other values | 0 ...
//          missing      | as missing_left of each set says
struct LevelCoder {
    std::int32_t feature;
    std::int32_t n_levels = 0; // later levels are in no set
    std::int32_t first_plane = 0, n_planes = 0;
    std::int32_t stride = 0; // bytes of a level
    std::vector<std::uint8_t> bits;
};

enum class TreeKind : std::uint8_t { levels, slots, walk };

struct CodedTree {
    TreeKind kind;
    std::int64_t tree;                    // index in the forest
    std::int64_t first_split, first_leaf; // walk: splits of the first levels; leaves are nodes
    std::int64_t first_value;
    std::int32_t n_splits, n_leaves; // walk: n_leaves is the number of nodes
    std::int64_t first_start;        // walk: where the nodes of the slots begin in starts_
    CodedLinearLeaf line;
};

// Outputs that are added together: the values of a tree are stored group after group, within a
// group leaf after leaf, and so are the sums of the rows of a block.
struct OutputGroup {
    int first, width; // width 1, 2 or 4; the last may exceed the last output
};

struct Segment {
    std::int64_t tree_begin, tree_end;
    bool coded; // otherwise uses the Walker
    int n_planes = 0;
    std::vector<FeatureCoder> coders;
    std::vector<LevelCoder> level_coders;
    std::vector<std::int32_t> coder_of; // per feature: index in `coders`, or -1
    std::vector<std::uint64_t>
        has_coder;                // bit per feature with a coder; small enough for the cache
    std::vector<CodedTree> trees; // by place in the iteration, then in order
    std::vector<std::size_t> place_begin; // n_outputs / leaf_width + 1 positions in `trees`
};

class CodedForest {
  public:
    // factors: multipliers of trees without linear leaves; empty: all 1.
    CodedForest(const TreeArrays& arrays, std::span<const double> factors, std::int64_t n_features,
                std::int64_t n_outputs);

    // Rows [first, last); scores or leaves begin with those of row `first`. The walker may be null
    // unless needs_walker().
    void add(const RowSource& rows, std::int64_t first, std::int64_t last, std::int64_t tree_begin,
             std::int64_t tree_end, const Walker* walker, double* scores) const;
    void apply(const RowSource& rows, std::int64_t first, std::int64_t last,
               std::int64_t tree_begin, std::int64_t tree_end, const Walker* walker,
               std::int32_t* leaves) const;
    bool needs_walker() const { return needs_walker_; }
    // Whether calls with more rows load less memory per row.
    bool has_large_trees() const { return has_large_trees_; }

  private:
    friend class CodedForestBuilder;

    void add_block(const Segment&, std::int64_t tree_begin, std::int64_t tree_end, CodedBlock&,
                   double* scores) const;
    template <class Run>
    void run_large(const RowSource& rows, std::int64_t first, std::int64_t last,
                   std::int64_t tree_begin, std::int64_t tree_end, const Segment& segment,
                   CodedBlock& block, Run run) const;
    void walk(const CodedTree&, CodedBlock&) const;
    void add_nodes(const CodedTree&, const CodedBlock&, double* sums) const;
    template <class Leaf>
    void add_linear_leaves(const CodedTree&, const CodedBlock&, const Leaf* leaves,
                           double* sums) const;
    void apply_block(const Segment&, std::int64_t tree_begin, std::int64_t tree_end, CodedBlock&,
                     std::int32_t* leaves, std::int64_t leaves_per_row) const;

    std::int64_t n_features_, n_outputs_, leaf_width_;
    std::vector<OutputGroup> groups_; // of the leaf_width outputs of a tree
    CodedLinearLeaves linear_leaves_;
    bool needs_walker_ = false, has_large_trees_ = false;
    std::vector<Segment> segments_;
    std::vector<CodedSplit> splits_;
    PagedVector<double> values_;           // of leaves; of all nodes of trees to walk
    std::vector<std::int32_t> leaf_names_; // node in the original tree, by first_leaf + slot
    PagedVector<CodedNode> nodes_;         // of trees to walk
    PagedVector<std::int32_t> node_names_;
    std::vector<std::int32_t> starts_; // nodes below the slots of the first levels
};

} // namespace ceiba
