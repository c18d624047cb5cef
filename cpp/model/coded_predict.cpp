// Running a coded forest over blocks of rows.
#include "base/cpu.hpp"
#include "model/coded_forest.hpp"
#include "model/walker.hpp"

#include <algorithm>
#include <cstring>
#include <span>

namespace ceiba {

const PredictKernels& predict_kernels() {
#if defined(__x86_64__)
    if (use_avx2()) return avx2::kPredictKernels;
#endif
    return baseline::kPredictKernels;
}

namespace {

// Columns of a matrix that are copied side by side, so that each of its cache lines is read once.
constexpr int kColumnsAtOnce = 8;

int padded(int n_rows) {
    return (n_rows + kRowGroup - 1) / kRowGroup * kRowGroup;
}

} // namespace

// What one thread needs for the block it works on.
struct CodedForest::Block {
    explicit Block(int n_planes)
        : planes(static_cast<std::size_t>(n_planes) * kBlockRows + kBlockRows) {}

    const PredictKernels& kernels = predict_kernels();
    int n_rows = 0;   // that are real
    int n_padded = 0; // up to whole groups
    std::vector<std::int8_t> planes;
    alignas(64) std::byte values[kColumnsAtOnce * kBlockRows * sizeof(double)] = {};
    alignas(64) std::uint8_t leaves[kTreesAtOnce * kBlockRows];
    alignas(64) double sums[kBlockRows];
    std::int32_t nodes[kBlockRows];
};

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
            fill_planes(kernels, some[c], scratch + c * kBlockRows, padded(n_rows), planes);
    }
}

} // namespace

void CodedForest::encode(const Segment& segment, const RowSource& rows, std::int64_t first_row,
                         Block& block) const {
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

namespace {

// The trees of one output of a segment that lie in the asked range.
std::span<const CodedTree> trees_of(const Segment& segment, std::size_t output,
                                    std::int64_t tree_begin, std::int64_t tree_end) {
    const CodedTree* first = segment.trees.data() + segment.output_begin[output];
    const CodedTree* last = segment.trees.data() + segment.output_begin[output + 1];
    const auto before = [](const CodedTree& tree, std::int64_t t) { return tree.tree < t; };
    first = std::lower_bound(first, last, tree_begin, before);
    return {first, std::lower_bound(first, last, tree_end, before)};
}

} // namespace

void CodedForest::add_block(const Segment& segment, std::int64_t tree_begin, std::int64_t tree_end,
                            Block& block, double* scores) const {
    const PredictKernels& kernels = block.kernels;
    const std::int8_t* planes = block.planes.data();
    const double* tables[kTreesAtOnce];
    for (std::int64_t output = 0; output < n_outputs_; ++output) {
        double* sums = scores;
        if (n_outputs_ > 1) {
            sums = block.sums;
            for (int row = 0; row < block.n_rows; ++row)
                sums[row] = scores[row * n_outputs_ + output];
        }
        int waiting = 0;
        const auto flush = [&] {
            kernels.add_leaves(tables, waiting, block.leaves, block.n_rows, sums);
            waiting = 0;
        };
        for (const CodedTree& tree :
             trees_of(segment, static_cast<std::size_t>(output), tree_begin, tree_end)) {
            if (tree.kind == TreeKind::walk) {
                flush();
                kernels.walk(nodes_.data() + tree.first_split, planes, block.n_padded, block.nodes);
                const double* values = node_values_.data() + tree.first_leaf;
                for (int row = 0; row < block.n_rows; ++row) sums[row] += values[block.nodes[row]];
                continue;
            }
            const auto run =
                tree.kind == TreeKind::levels ? kernels.split_levels : kernels.split_slots;
            run(splits_.data() + tree.first_split, tree.n_splits, planes, block.n_padded,
                block.leaves + waiting * kBlockRows);
            tables[waiting++] = leaf_values_.data() + tree.first_leaf;
            if (waiting == kTreesAtOnce) flush();
        }
        flush();
        if (n_outputs_ > 1) {
            for (int row = 0; row < block.n_rows; ++row)
                scores[row * n_outputs_ + output] = sums[row];
        }
    }
}

void CodedForest::apply_block(const Segment& segment, std::int64_t tree_begin,
                              std::int64_t tree_end, Block& block, std::int32_t* leaves,
                              std::int64_t leaves_per_row) const {
    const PredictKernels& kernels = block.kernels;
    const std::int8_t* planes = block.planes.data();
    for (const CodedTree& tree : segment.trees) {
        if (tree.tree < tree_begin || tree.tree >= tree_end) continue;
        std::int32_t* out = leaves + (tree.tree - tree_begin);
        if (tree.kind == TreeKind::walk) {
            kernels.walk(nodes_.data() + tree.first_split, planes, block.n_padded, block.nodes);
            const std::int32_t* names = node_names_.data() + tree.first_leaf;
            for (int row = 0; row < block.n_rows; ++row)
                out[row * leaves_per_row] = names[block.nodes[row]];
            continue;
        }
        const auto run = tree.kind == TreeKind::levels ? kernels.split_levels : kernels.split_slots;
        run(splits_.data() + tree.first_split, tree.n_splits, planes, block.n_padded, block.leaves);
        const std::int32_t* names = leaf_names_.data() + tree.first_leaf;
        for (int row = 0; row < block.n_rows; ++row)
            out[row * leaves_per_row] = names[block.leaves[row]];
    }
}

namespace {

// Calls run(segment, first_row, n_rows) for every segment of every block of rows [first, last).
template <class Run>
void for_blocks(const std::vector<Segment>& segments, std::int64_t first, std::int64_t last,
                std::int64_t tree_begin, std::int64_t tree_end, Run run) {
    for (std::int64_t row = first; row < last; row += kBlockRows) {
        const auto n_rows = static_cast<int>(std::min<std::int64_t>(kBlockRows, last - row));
        for (const Segment& segment : segments) {
            if (segment.tree_begin < tree_end && segment.tree_end > tree_begin)
                run(segment, row, n_rows);
        }
    }
}

int most_planes(const std::vector<Segment>& segments) {
    int most = 0;
    for (const Segment& segment : segments) most = std::max(most, segment.n_planes);
    return most;
}

} // namespace

void CodedForest::add(const RowSource& rows, std::int64_t first, std::int64_t last,
                      std::int64_t tree_begin, std::int64_t tree_end, const Walker* walker,
                      double* scores) const {
    Block block(most_planes(segments_));
    for_blocks(segments_, first, last, tree_begin, tree_end,
               [&](const Segment& segment, std::int64_t row, int n_rows) {
                   double* of_block = scores + (row - first) * n_outputs_;
                   if (!segment.coded) {
                       walker->add(rows, row, row + n_rows,
                                   std::max(tree_begin, segment.tree_begin),
                                   std::min(tree_end, segment.tree_end), of_block);
                       return;
                   }
                   block.n_rows = n_rows;
                   block.n_padded = padded(n_rows);
                   encode(segment, rows, row, block);
                   add_block(segment, tree_begin, tree_end, block, of_block);
               });
}

void CodedForest::apply(const RowSource& rows, std::int64_t first, std::int64_t last,
                        std::int64_t tree_begin, std::int64_t tree_end, const Walker* walker,
                        std::int32_t* leaves) const {
    const std::int64_t leaves_per_row = tree_end - tree_begin;
    Block block(most_planes(segments_));
    for_blocks(segments_, first, last, tree_begin, tree_end,
               [&](const Segment& segment, std::int64_t row, int n_rows) {
                   std::int32_t* of_block = leaves + (row - first) * leaves_per_row;
                   if (!segment.coded) {
                       const std::int64_t from = std::max(tree_begin, segment.tree_begin);
                       walker->apply(rows, row, row + n_rows, from,
                                     std::min(tree_end, segment.tree_end),
                                     of_block + (from - tree_begin), leaves_per_row);
                       return;
                   }
                   block.n_rows = n_rows;
                   block.n_padded = padded(n_rows);
                   encode(segment, rows, row, block);
                   apply_block(segment, tree_begin, tree_end, block, of_block, leaves_per_row);
               });
}

} // namespace ceiba
