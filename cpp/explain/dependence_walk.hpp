// Walks one tree for a question: which points of the grid and which rows of a block reach each
// node.
//
// The life of a walk: enter() a tree; go_left() for blocks of rows; then, for each question, ask(),
// and for each block spread() and for every leaf reach[leaf] and runs(leaf). Each thread has its
// own.
#pragma once

#include "explain/dependence_kernels.hpp"
#include "model/forest.hpp"

#include <bit>
#include <cstdint>
#include <vector>

namespace ceiba {

struct GridAxis {
    std::int32_t feature;
    std::vector<double> points;
};

// One or two columns; with two the grid has a cell for each pair of points, the second changing
// fastest.
struct Question {
    std::vector<GridAxis> axes;

    std::int64_t n_cells() const;
    int axis_of(std::int32_t feature) const; // -1: not a column of the question
};

class TreeWalk {
  public:
    TreeWalk(const Forest& forest, const std::vector<std::int32_t>& place)
        : arrays_(forest.arrays()), place_(place) {}

    void enter(std::int64_t tree, int n_blocks = 1);
    // Values of a block: column f is at values + place[f] * stride.
    void go_left(const double* values, std::int64_t stride, int block = 0);
    // The same, written to out[node].
    void find_left(const double* values, std::int64_t stride, RowBits* out) const;
    void ask(const Question* question); // nullptr: no question, every row keeps its values
    void spread(const RowBits& rows, int block = 0);
    std::vector<PointRun> runs(std::int32_t leaf) const; // cells of the grid

    bool is_leaf(std::int32_t node) const { return nodes[node].left < 0 && !nodes[node].dead; }
    const double* value(std::int32_t node) const {
        return arrays_.value.data() + (first + node) * arrays_.leaf_width;
    }

    const DependenceKernels& kernels = dependence_kernels();
    std::int64_t first = 0; // node of the forest
    std::int32_t n_nodes = 0;
    std::vector<DependenceNode> nodes;
    std::vector<RowBits> reach;

  private:
    // Give each point to its child; returns whether any goes left, and whether any goes right.
    std::pair<bool, bool> part_points(std::int32_t node, int axis);
    std::uint64_t* points_of(std::int32_t node) { return points_.data() + node * n_words_; }

    const TreeArrays& arrays_;
    const std::vector<std::int32_t>& place_;
    const Question* question_ = nullptr;
    std::int64_t n_words_ = 0; // per node
    // of each node: points of the first axis, then of the second
    std::vector<std::uint64_t> points_;
    std::vector<RowBits> goes_left_; // per block and node
};

RowBits first_rows(std::int64_t n_rows);

template <class Visit>
void for_each_row(const RowBits& rows, Visit visit) {
    for (int word = 0; word < kDependenceWords; ++word)
        for (std::uint64_t bits = rows.words[word]; bits != 0; bits &= bits - 1)
            visit(word * 64 + std::countr_zero(bits));
}

} // namespace ceiba
