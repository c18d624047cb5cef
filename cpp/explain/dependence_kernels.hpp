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

// A node of a tree as the kernels read it. Children come after their parent.
struct DependenceNode {
    std::int32_t left, right; // -1: a leaf
    bool asked;               // splits a column that is asked about: rows go both ways
    bool dead;                // no point of the grid comes here
};

// Points [begin, end) of the grid.
struct PointRun {
    std::int32_t begin, end;
};

struct DependenceKernels {
    // Bits of the rows with x <= threshold; of missing x where missing_left says so.
    void (*compare)(const double* values, double threshold, bool missing_left, RowBits& out);
    // From the rows at the root to those of each node: left where goes_left has them, right where it
    // has not, both where the node is asked about.
    void (*spread)(const DependenceNode* nodes, int n_nodes, const RowBits* goes_left,
                   RowBits* reach);
    std::int64_t (*count)(const RowBits& rows);
    // Adds a value to the points of the runs, for the rows, as steps: up where a run begins and down
    // where it ends. out[(row * n_points + point) * step] is the step at a point, and the sum of the
    // steps up to it its value.
    void (*step)(const RowBits& rows, const PointRun* runs, int n_runs, double value,
                 std::int64_t n_points, std::int64_t step, double* out);
    // The same with the rows of a block side by side: out[point * kDependenceRows + row].
    void (*step_across)(const RowBits& rows, const PointRun* runs, int n_runs, double value,
                        std::int64_t n_points, double* out);
    // Rows side by side from their scores at the first point on: adds the steps of a point, and to
    // sums[point] the sigmoids of scale times the scores, times weights and rounded to whole numbers
    // of `unit`, a power of two. Steps are 0 again afterwards. Sums of a block are exact.
    void (*add_sigmoids)(double* steps, std::int64_t n_points, double* scores, double scale,
                         const double* weights, double unit, double* sums);
};

const DependenceKernels& dependence_kernels(); // the best that this machine has

namespace baseline {
extern const DependenceKernels kDependenceKernels;
}
namespace avx2 {
extern const DependenceKernels kDependenceKernels;
}

} // namespace ceiba
