// Encodes the values of a block of rows to its planes.
#include "model/coded_block.hpp"
#include "model/level.hpp"

#include <algorithm>
#include <cstring>
#include <span>
#include <type_traits>

namespace ceiba {

namespace {

// Write the codes of one column to the planes that the segment reads.
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
    // If there is one plane only, both pointers are the same.
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

// Copy several columns of a matrix (or single ones of a table) into contiguous runs of 256 values.
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

// Offsets of the bits of each row.
template <class T>
void find_levels(const T* values, std::int64_t stride, int n_rows, const LevelCoder& coder,
                 std::uint32_t* offsets) {
    const auto n_levels = static_cast<std::uint32_t>(coder.n_levels),
               bytes = static_cast<std::uint32_t>(coder.stride);
    const auto* at = reinterpret_cast<const std::byte*>(values);
    for (int row = 0; row < n_rows; ++row, at += stride) {
        T x;
        std::memcpy(&x, at, sizeof x);
        std::uint32_t level;
        if constexpr (std::is_integral_v<T>) {
            level = static_cast<std::uint32_t>(x); // negative values become large
            level = level < n_levels ? level : n_levels;
        } else {
            level = static_cast<std::uint32_t>(level_of(x));
            level = level < n_levels ? level : n_levels;
            level = x != x ? n_levels + 1 : level;
        }
        offsets[row] = level * bytes;
    }
}

void fill_set_planes(const LevelCoder& coder, const ColumnView& column, std::int64_t first_row,
                     CodedBlock& block) {
    alignas(64) std::uint32_t offsets[kBlockRows] = {}; // also for padding rows
    const std::byte* data = column.data + first_row * column.stride;
    const auto find = [&]<class T>(const T*) {
        find_levels(reinterpret_cast<const T*>(data), column.stride, block.n_rows, coder, offsets);
    };
    const NumberType type = column.sparse ? NumberType::int64 : column.type; // read as doubles
    switch (type) {
    case NumberType::float32:
        find(static_cast<const float*>(nullptr));
        break;
    case NumberType::float64:
        find(static_cast<const double*>(nullptr));
        break;
    case NumberType::int8:
        find(static_cast<const std::int8_t*>(nullptr));
        break;
    case NumberType::int16:
        find(static_cast<const std::int16_t*>(nullptr));
        break;
    case NumberType::int32:
        find(static_cast<const std::int32_t*>(nullptr));
        break;
    case NumberType::uint8:
    case NumberType::boolean:
        find(static_cast<const std::uint8_t*>(nullptr));
        break;
    case NumberType::uint16:
        find(static_cast<const std::uint16_t*>(nullptr));
        break;
    case NumberType::uint32:
        find(static_cast<const std::uint32_t*>(nullptr));
        break;
    default: // throws if an integer is not exact in float64
        auto* values = reinterpret_cast<double*>(block.values);
        read_values(column, first_row, block.n_rows, values);
        find_levels(values, sizeof(double), block.n_rows, coder, offsets);
    }
    block.kernels.spread_bits(coder.bits.data(), offsets, coder.n_planes, block.n_padded,
                              block.planes.data() + std::int64_t{coder.first_plane} * kBlockRows);
}

// One column after the other, each with its own type.
void encode_columns(const Segment& segment, const RowSource& rows, std::int64_t first_row,
                    CodedBlock& block) {
    std::int8_t* planes = block.planes.data();
    auto* scratch = reinterpret_cast<double*>(block.values);
    const bool whole = block.n_rows == kBlockRows;
    for (const FeatureCoder& coder : segment.coders) {
        const ColumnView column = rows.column(coder.feature);
        if (whole && !column.sparse && column.type == NumberType::float64 &&
            lies_in_order<double>(column)) {
            fill_planes(block.kernels, coder,
                        reinterpret_cast<const double*>(column.data) + first_row, kBlockRows,
                        planes);
        } else if (whole && !column.sparse && column.type == NumberType::float32 &&
                   lies_in_order<float>(column)) {
            fill_planes(block.kernels, coder,
                        reinterpret_cast<const float*>(column.data) + first_row, kBlockRows,
                        planes);
        } else {
            // Converts every value to double, also floats, which compare with the unrounded
            // thresholds.
            read_values(column, first_row, block.n_rows, scratch);
            fill_planes(block.kernels, coder, scratch, block.n_padded, planes);
        }
    }
}

// Fill every plane of thresholds with the code of an absent entry.
void fill_absent(const Segment& segment, double absent, CodedBlock& block) {
    std::int8_t* planes = block.planes.data();
    auto* values = reinterpret_cast<double*>(block.values);
    std::fill_n(values, kRowGroup, absent);
    block.absent_codes.assign(static_cast<std::size_t>(segment.n_planes), 0);
    for (const FeatureCoder& coder : segment.coders) {
        fill_planes(block.kernels, coder, values, kRowGroup, planes);
        for (const std::int32_t plane : {coder.missing_right_plane, coder.missing_left_plane}) {
            if (plane < 0) continue;
            std::int8_t* codes = planes + std::int64_t{plane} * kBlockRows;
            block.absent_codes[static_cast<std::size_t>(plane)] = codes[0];
            std::memset(codes, codes[0], kBlockRows);
        }
    }
    block.absent_of = &segment;
    block.changed.clear();
}

// Write the codes of entries whose features the segment reads; others are skipped. read(entry): its
// value.
template <class Index, class Read>
void write_entries(const Segment& segment, const SparseRows& rows, const Index* columns,
                   std::int64_t first_row, CodedBlock& block, Read read) {
    const std::uint64_t* has_coder = segment.has_coder.data();
    std::int8_t* planes = block.planes.data();
    for (int i = 0; i < block.n_rows; ++i) {
        const std::int64_t end = rows.start(first_row + i + 1);
        for (std::int64_t e = rows.start(first_row + i); e < end; ++e) {
            const auto feature = static_cast<std::size_t>(columns[e]);
            if ((has_coder[feature / 64] >> (feature % 64) & 1) == 0) continue;
            const FeatureCoder& coder =
                segment.coders[static_cast<std::size_t>(segment.coder_of[feature])];
            const double x = read(e);
            const double* thresholds = coder.doubles.thresholds.data();
            const auto below = static_cast<int>(
                std::lower_bound(thresholds, thresholds + coder.n_thresholds, x) - thresholds);
            const auto write = [&](std::int32_t plane, int missing) {
                if (plane < 0) return;
                const auto place = static_cast<std::uint32_t>(plane * kBlockRows + i);
                planes[place] = static_cast<std::int8_t>((x == x ? below : missing) - 128);
                block.changed.push_back(place);
            };
            write(coder.missing_right_plane, coder.n_thresholds);
            write(coder.missing_left_plane, 0);
        }
    }
}

// Encode rows of a sparse matrix in time proportional to their entries: only the places changed by
// the previous block are reset.
void encode_entries(const Segment& segment, const SparseRows& rows, std::int64_t first_row,
                    CodedBlock& block) {
    if (block.absent_of != &segment) {
        fill_absent(segment, rows.absent, block);
    } else {
        for (const std::uint32_t place : block.changed)
            block.planes[place] = block.absent_codes[place / kBlockRows];
        block.changed.clear();
    }
    rows.with_columns([&](const auto* columns) {
        const auto write = [&](auto read) {
            write_entries(segment, rows, columns, first_row, block, read);
        };
        if (rows.type == NumberType::float64) {
            const auto* values = static_cast<const double*>(rows.values);
            write([=](std::int64_t e) { return values[e]; });
        } else if (rows.type == NumberType::float32) {
            const auto* values = static_cast<const float*>(rows.values);
            write([=](std::int64_t e) { return static_cast<double>(values[e]); });
        } else {
            const ColumnChunk entries{rows.values, bytes_of(rows.type), 0,          rows.type, true,
                                      nullptr,     rows.n_entries,      rows.absent};
            write([&](std::int64_t e) {
                double x;
                read_entries(entries, e, 1, &x);
                return x;
            });
        }
    });
}

// The values of one feature in some rows of a sparse matrix.
void find_column(const SparseRows& rows, std::int64_t feature, std::int64_t first_row, int n_rows,
                 double* out) {
    std::vector<double> entries;
    rows.with_columns([&](const auto* columns) {
        for (int i = 0; i < n_rows; ++i) {
            const std::int64_t begin = rows.start(first_row + i),
                               n = rows.start(first_row + i + 1) - begin;
            read_entries_of(rows, first_row + i, entries);
            out[i] = rows.absent;
            for (std::int64_t e = 0; e < n; ++e)
                if (columns[begin + e] == feature) out[i] = entries[static_cast<std::size_t>(e)];
        }
    });
}

} // namespace

void encode(const Segment& segment, const RowSource& rows, std::int64_t first_row,
            CodedBlock& block) {
    if (const SparseRows* sparse = rows.sparse()) {
        encode_entries(segment, *sparse, first_row, block);
        std::vector<double> column(kBlockRows);
        for (const LevelCoder& coder : segment.level_coders) {
            find_column(*sparse, coder.feature, first_row, block.n_rows, column.data());
            ColumnView view{reinterpret_cast<const std::byte*>(column.data()), sizeof(double)};
            fill_set_planes(coder, view, 0, block);
        }
        return;
    }
    if (!rows.is_matrix())
        encode_columns(segment, rows, first_row, block);
    else if (rows.first().type == NumberType::float32)
        encode_matrix(block.kernels, segment, rows, first_row, block.n_rows,
                      reinterpret_cast<float*>(block.values), block.planes.data());
    else
        encode_matrix(block.kernels, segment, rows, first_row, block.n_rows,
                      reinterpret_cast<double*>(block.values), block.planes.data());
    for (const LevelCoder& coder : segment.level_coders)
        fill_set_planes(coder, rows.column(coder.feature), first_row, block);
}

} // namespace ceiba
