// Buffers of one thread for a block of rows in a coded forest.
#pragma once

#include "base/aligned.hpp"
#include "model/coded_forest.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ceiba {

// Columns of a matrix that are copied together, so that each cache line is read once.
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
    int n_rows = 0;   // without padding
    int n_padded = 0; // padded to whole groups
    std::vector<std::int8_t> planes;
    // Planes of sparse rows hold the code of an absent entry, except in `changed` places.
    const Segment* absent_of = nullptr;    // the segment whose planes hold these codes
    std::vector<std::int8_t> absent_codes; // per plane
    std::vector<std::uint32_t> changed;    // places in the planes
    alignas(64) std::byte values[kColumnsAtOnce * kBlockRows * sizeof(double)] = {};
    alignas(64) std::uint8_t leaves[kTreesAtOnce * kBlockRows];
    AlignedVector<double> sums; // per group of outputs, then per row
    std::int32_t nodes[kBlockRows];
    LinearBlock linear_leaves;
};

// Fill the planes that a segment reads with block.n_rows rows from first_row on.
void encode(const Segment& segment, const RowSource& rows, std::int64_t first_row,
            CodedBlock& block);

} // namespace ceiba
