// A block of rows while a coded forest runs over it: what one thread needs.
#pragma once

#include "base/aligned.hpp"
#include "model/coded_forest.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ceiba {

// Columns of a matrix that are copied side by side, so that each of its cache lines is read once.
constexpr int kColumnsAtOnce = 8;

inline int whole_groups(int n_rows) {
    return (n_rows + kRowGroup - 1) / kRowGroup * kRowGroup;
}

struct CodedBlock {
    // For segments of up to n_planes planes, and leaves of leaf_width outputs.
    CodedBlock(int n_planes, std::int64_t leaf_width)
        : planes(static_cast<std::size_t>(n_planes) * kBlockRows + kBlockRows),
          sums(static_cast<std::size_t>(leaf_width + 3) * kBlockRows) {}

    const PredictKernels& kernels = predict_kernels();
    int n_rows = 0;   // that are real
    int n_padded = 0; // up to whole groups
    std::vector<std::int8_t> planes;
    // Planes of sparse rows say what an absent entry is, but for places that entries changed.
    const Segment* absent_of = nullptr;    // the segment that they say it for
    std::vector<std::int8_t> absent_codes; // of each plane
    std::vector<std::uint32_t> changed;    // places of the planes
    alignas(64) std::byte values[kColumnsAtOnce * kBlockRows * sizeof(double)] = {};
    alignas(64) std::uint8_t leaves[kTreesAtOnce * kBlockRows];
    AlignedVector<double> sums; // group of outputs after group, row after row
    std::int32_t nodes[kBlockRows];
    LinearBlock linear_leaves;
};

// Fills the planes that a segment reads with the rows from first_row on, block.n_rows of them.
void encode(const Segment& segment, const RowSource& rows, std::int64_t first_row,
            CodedBlock& block);

} // namespace ceiba
