// The inner loops of prediction, on blocks of up to 256 rows.
//
// A value is first replaced by its code: the number of thresholds below it, among those that the
// trees use for its feature. With at most 255 thresholds a code is a byte, and x <= threshold
// number i is code <= i. Codes are stored column by column ("planes" of 256 bytes), shifted by 128
// so that signed byte comparisons order them. A set of levels is a plane too, of -1 (left) and 0
// (right), with the "threshold" -1. Trees then process 32 rows per instruction.
//
//   slots   Every tree of up to 256 leaves. All rows start in slot 0. A split moves the rows of
//           its slot that go right to a new slot, the others stay. The last slot is the leaf.
//
//                 a                 slots:  a at 0;  rows right of a -> 1
//               /   \                       b at 0;  rows right of b -> 2
//              b     leaf 1
//             / \                   All splits touch all rows, with five byte instructions for
//        leaf 0  leaf 2             32 rows: less than a walk, which waits for memory at each step.
//
//   levels  Symmetric trees: split l decides bit l of the leaf. Three instructions for 32 rows.
//
//   walk    Trees of more than 256 leaves: slots for the first levels, which all rows pass,
//           then node by node, a few steps for several rows at a time; rows that
//           have reached their leaf are replaced by others.
#pragma once

#include <cstdint>
#include <vector>

namespace ceiba {

constexpr int kBlockRows = 256;
constexpr int kRowGroup = 32; // kernels process whole groups of rows
constexpr int kTreesAtOnce = 8;

// Maps a value to its code: a table over equal cells of the value range gives the number of
// thresholds in lower cells, and a short binary search finishes within the cell. Correct for any
// monotone map to cells.
template <class T>
struct CellTable {
    T lowest = 0, scale = 0, last_cell = 0;
    int n_steps = 0;                  // of the search, which reads 2^n_steps - 1 thresholds
    std::vector<std::uint8_t> starts; // per cell
    std::vector<T> thresholds;        // padded with infinities, which no value exceeds
};

struct CodedSplit {
    std::uint32_t plane;
    std::int8_t code;    // the row goes right if its byte is greater
    std::uint8_t slot;   // slots: whose rows are split
    std::uint8_t change; // slots: xor that moves a row from `slot` to the new slot; levels: the bit
};

struct CodedNode {
    std::uint32_t plane : 24;
    std::int32_t code : 8; // of a leaf 127: never exceeded
    std::int32_t left;     // right = left + 1; of a leaf its own index
};

// n_rows of encode, split and walk is a multiple of kRowGroup and at most kBlockRows.
struct PredictKernels {
    // Codes of n_rows values; true if one of them is missing (its code is then arbitrary).
    bool (*encode_doubles)(const double* values, int n_rows, const CellTable<double>&,
                           std::int8_t* codes);
    bool (*encode_floats)(const float* values, int n_rows, const CellTable<float>&,
                          std::int8_t* codes);
    // planes[p][row] = -1 if bit p of the row is set, else 0; the bits of a row begin at
    // bits[offsets[row]].
    void (*spread_bits)(const std::uint8_t* bits, const std::uint32_t* offsets, int n_planes,
                        int n_rows, std::int8_t* planes);
    void (*split_slots)(const CodedSplit*, int n_splits, const std::int8_t* planes, int n_rows,
                        std::uint8_t* leaves);
    void (*split_levels)(const CodedSplit*, int n_splits, const std::int8_t* planes, int n_rows,
                         std::uint8_t* leaves);
    // nodes: input: where rows begin; output: where they end.
    void (*walk)(const CodedNode*, const std::int8_t* planes, int n_rows, std::int32_t* nodes);
    // sums[row][k] += tables[tree][leaves[tree][row]][k] for k < width, tree after tree; the leaves
    // of consecutive trees are 256 bytes apart. width is 1, 2 or 4; tables of width 4 are aligned
    // to 32 bytes.
    void (*add_leaves)(const double* const* tables, int n_trees, const std::uint8_t* leaves,
                       int n_rows, int width, double* sums);
};

const PredictKernels& predict_kernels(); // the fastest for this processor, unless AVX2 is off

namespace baseline {
extern const PredictKernels kPredictKernels;
}
namespace avx2 {
extern const PredictKernels kPredictKernels;
}

} // namespace ceiba
