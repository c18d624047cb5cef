// From the values of a block of rows to its planes.
#include "model/coded_block.hpp"

#include <algorithm>
#include <cstring>
#include <span>

namespace ceiba {

namespace {

// The codes of one column, and the planes that the segment wants of it.
template <class T>
void fill_planes(const PredictKernels& kernels, const FeatureCoder& coder, const T* values,
                 int n_rows, std::int8_t* planes) {
    const bool both = coder.missing_right_plane >= 0 && coder.missing_left_plane >= 0;
    const std::int32_t first =
        coder.missing_right_plane >= 0 ? coder.missing_right_plane : coder.missing_left_plane;
    std::int8_t* codes = planes + std::int64_t{first} * kBlockRows;
    bool missing;
    if constexpr (sizeof(T) == sizeof(double))
        missing = kernels.encode_doubles(values, n_rows, coder.doubles, codes);
    else
        missing = kernels.encode_floats(values, n_rows, coder.floats, codes);
    // Where there is one plane only, both names are its.
    std::int8_t* other =
        both ? planes + std::int64_t{coder.missing_left_plane} * kBlockRows : codes;
    if (both) std::memcpy(other, codes, static_cast<std::size_t>(n_rows));
    if (!missing) return;
    if (coder.missing_right_plane >= 0) {
        const auto above_all = static_cast<std::int8_t>(coder.n_thresholds - 128);
        for (int row = 0; row < n_rows; ++row)
            codes[row] = values[row] != values[row] ? above_all : codes[row];
    }
    if (coder.missing_left_plane >= 0) {
        for (int row = 0; row < n_rows; ++row)
            other[row] = values[row] != values[row] ? std::int8_t{-128} : other[row];
    }
}

template <class T>
bool lies_in_order(const ColumnView& column) {
    return column.stride == sizeof(T) &&
           reinterpret_cast<std::uintptr_t>(column.data) % alignof(T) == 0;
}

// Several columns of a matrix (or single ones of a table) into contiguous pieces of 256 values.
template <class T>
void gather(const RowSource& rows, std::span<const FeatureCoder> coders, std::int64_t first_row,
            int n_rows, T* out) {
    const std::byte* starts[kColumnsAtOnce] = {};
    const std::size_t n_columns = coders.size();
    const std::int64_t stride = rows.column(coders[0].feature).stride;
    for (std::size_t c = 0; c < n_columns; ++c)
        starts[c] = rows.column(coders[c].feature).data + first_row * stride;
    if (n_columns == kColumnsAtOnce) {
        for (std::int64_t row = 0; row < n_rows; ++row)
            for (std::size_t c = 0; c < kColumnsAtOnce; ++c)
                std::memcpy(out + c * kBlockRows + row, starts[c] + row * stride, sizeof(T));
        return;
    }
    for (std::int64_t row = 0; row < n_rows; ++row)
        for (std::size_t c = 0; c < n_columns; ++c)
            std::memcpy(out + c * kBlockRows + row, starts[c] + row * stride, sizeof(T));
}

template <class T>
void encode_matrix(const PredictKernels& kernels, const Segment& segment, const RowSource& rows,
                   std::int64_t first_row, int n_rows, T* scratch, std::int8_t* planes) {
    const std::span<const FeatureCoder> coders(segment.coders);
    if (lies_in_order<T>(rows.first()) && rows.column_stride() % alignof(T) == 0 &&
        n_rows == kBlockRows) {
        for (const FeatureCoder& coder : coders) {
            const auto* values =
                reinterpret_cast<const T*>(rows.column(coder.feature).data) + first_row;
            fill_planes(kernels, coder, values, kBlockRows, planes);
        }
        return;
    }
    for (std::size_t at = 0; at < coders.size(); at += kColumnsAtOnce) {
        const auto some =
            coders.subspan(at, std::min<std::size_t>(kColumnsAtOnce, coders.size() - at));
        gather(rows, some, first_row, n_rows, scratch);
        for (std::size_t c = 0; c < some.size(); ++c)
            fill_planes(kernels, some[c], scratch + c * kBlockRows, whole_groups(n_rows), planes);
    }
}

} // namespace

void encode(const Segment& segment, const RowSource& rows, std::int64_t first_row,
            CodedBlock& block) {
    std::int8_t* planes = block.planes.data();
    auto* scratch = reinterpret_cast<double*>(block.values);
    if (rows.is_matrix()) {
        if (rows.first().type == NumberType::float32)
            encode_matrix(block.kernels, segment, rows, first_row, block.n_rows,
                          reinterpret_cast<float*>(block.values), planes);
        else
            encode_matrix(block.kernels, segment, rows, first_row, block.n_rows, scratch, planes);
        return;
    }
    const bool whole = block.n_rows == kBlockRows;
    for (const FeatureCoder& coder : segment.coders) {
        const ColumnView column = rows.column(coder.feature);
        if (whole && column.type == NumberType::float64 && lies_in_order<double>(column)) {
            fill_planes(block.kernels, coder,
                        reinterpret_cast<const double*>(column.data) + first_row, kBlockRows,
                        planes);
        } else if (whole && column.type == NumberType::float32 && lies_in_order<float>(column)) {
            fill_planes(block.kernels, coder,
                        reinterpret_cast<const float*>(column.data) + first_row, kBlockRows,
                        planes);
        } else {
            // Every number is a double; floats too, whose thresholds are then the plain ones.
            read_values(column, first_row, block.n_rows, scratch);
            fill_planes(block.kernels, coder, scratch, block.n_padded, planes);
        }
    }
}

} // namespace ceiba
