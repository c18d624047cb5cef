// The inner loops of partial dependence: sets of rows as bits, one block at a time.
#pragma once

#include <cstdint>

namespace ceiba {

constexpr int kDependenceRows = 512; // of a block
constexpr int kDependenceWords = kDependenceRows / 64;

// Rows of a block: bit r is row r.
struct RowBits {
    std::uint64_t words[kDependenceWords];
};

// A node of a tree for the kernels. Children come after their parent.
struct DependenceNode {
    std::int32_t left, right; // -1: a leaf
    bool asked;               // splits a column of the question: rows go both ways
    bool dead;                // no point of the grid reaches it
};

// Points [begin, end) of the grid.
struct PointRun {
    std::int32_t begin, end;
};

struct DependenceKernels {
    // Set the bits of the rows with x <= threshold; missing x count if missing_left.
    void (*compare)(const double* values, double threshold, bool missing_left, RowBits& out);
    // Compute the rows of each node from those of the root: left if goes_left has the row,
    // otherwise right, and both if `asked`.
    void (*spread)(const DependenceNode* nodes, int n_nodes, const RowBits* goes_left,
                   RowBits* reach);
    std::int64_t (*count)(const RowBits& rows);
    // Add a value to the points of the runs, for the rows, as differences: up where a run begins
    // and down where it ends. out[(row * n_points + point) * step] is the difference at a point;
    // prefix sums give the values.
    void (*step)(const RowBits& rows, const PointRun* runs, int n_runs, double value,
                 std::int64_t n_points, std::int64_t step, double* out);
    // The same with the rows of a block contiguous: out[point * kDependenceRows + row].
    void (*step_across)(const RowBits& rows, const PointRun* runs, int n_runs, double value,
                        std::int64_t n_points, double* out);
    // Process contiguous rows from their scores at the first point: add the differences of a point,
    // and to sums[point] the sigmoids of scale times the scores, times weights and rounded to
    // integer multiples of `unit`, a power of two. Resets the differences to 0. Sums of a block are
    // exact.
    void (*add_sigmoids)(double* steps, std::int64_t n_points, double* scores, double scale,
                         const double* weights, double unit, double* sums);
};

const DependenceKernels& dependence_kernels(); // the fastest for this processor

namespace baseline {
extern const DependenceKernels kDependenceKernels;
}
namespace avx2 {
extern const DependenceKernels kDependenceKernels;
}

} // namespace ceiba
