#include "model/coded_linear_leaves.hpp"

#include <algorithm>
#include <cstddef>

namespace ceiba {

CodedLinearLeaves::CodedLinearLeaves(const TreeArrays& arrays, std::int64_t n_features)
    : arrays_(arrays), leaf_width_(arrays.leaf_width) {
    if (!arrays.has_linear_leaves()) return;
    place_of_column_.assign(static_cast<std::size_t>(n_features), -1);
    for (const std::int32_t feature : arrays.linear_feature)
        place_of_column_[static_cast<std::size_t>(feature)] = 0;
    for (std::int32_t feature = 0; feature < n_features; ++feature) {
        if (place_of_column_[static_cast<std::size_t>(feature)] < 0) continue;
        place_of_column_[static_cast<std::size_t>(feature)] =
            static_cast<std::int32_t>(columns_.size());
        columns_.push_back(feature);
    }
}

CodedLinearLeaf CodedLinearLeaves::add_tree(std::int64_t first_node,
                                            std::span<const std::int32_t> nodes) {
    CodedLinearLeaf line{static_cast<std::int64_t>(terms_.size()), 0};
    if (!any()) return line;
    std::int64_t longest = 0;
    for (const std::int32_t node : nodes)
        longest = std::max(longest, arrays_.n_terms_of(first_node + node));
    line.n_terms = static_cast<std::int32_t>(longest);
    for (const std::int32_t node : nodes) {
        const std::int64_t first = arrays_.linear_offsets[first_node + node],
                           n = arrays_.n_terms_of(first_node + node);
        for (std::int64_t k = 0; k < longest; ++k) {
            Term own{{0.0, 0.0, 0.0, 0}, -0.0};
            if (k < n) {
                own.term = linear_term(arrays_, first + k);
                own.term.feature = place_of_column_[static_cast<std::size_t>(own.term.feature)];
                own.slope = arrays_.linear_slope[(first + k) * leaf_width_];
            }
            terms_.push_back(own);
            for (std::int64_t output = 0; leaf_width_ > 1 && output < leaf_width_; ++output)
                slopes_.push_back(k < n ? arrays_.linear_slope[(first + k) * leaf_width_ + output]
                                        : -0.0);
        }
    }
    return line;
}

void CodedLinearLeaves::read(const RowSource& rows, std::int64_t first_row, int n_rows,
                             LinearBlock& block) const {
    const std::size_t stride = columns_.size();
    block.values.resize(stride * kBlockRows);
    if (const SparseRows* sparse = rows.sparse()) {
        std::fill_n(block.values.begin(), stride * static_cast<std::size_t>(n_rows),
                    sparse->absent);
        for (int row = 0; row < n_rows; ++row) {
            read_entries_of(*sparse, first_row + row, block.scratch);
            const std::int64_t begin = sparse->start(first_row + row),
                               n = sparse->start(first_row + row + 1) - begin;
            double* own = block.values.data() + static_cast<std::size_t>(row) * stride;
            sparse->with_columns([&](const auto* columns) {
                for (std::int64_t i = 0; i < n; ++i) {
                    const std::int32_t place =
                        place_of_column_[static_cast<std::size_t>(columns[begin + i])];
                    if (place >= 0) own[place] = block.scratch[static_cast<std::size_t>(i)];
                }
            });
        }
        return;
    }
    block.scratch.resize(kBlockRows);
    for (std::size_t place = 0; place < stride; ++place) {
        read_values(rows.column(columns_[place]), first_row, n_rows, block.scratch.data());
        for (std::size_t row = 0; row < static_cast<std::size_t>(n_rows); ++row)
            block.values[row * stride + place] = block.scratch[row];
    }
}

template <class Leaf>
void CodedLinearLeaves::add_one(const CodedLinearLeaf& line, const Leaf* leaves,
                                const LinearBlock& block, int n_rows, const double* values,
                                double* sums) const {
    const auto stride = std::ssize(columns_);
    const double* row_values = block.values.data();
    for (int row = 0; row < n_rows; ++row, row_values += stride) {
        const Term* terms =
            terms_.data() + line.first_term + std::int64_t{leaves[row]} * line.n_terms;
        double sum = values[leaves[row]];
        for (std::int32_t k = 0; k < line.n_terms; ++k)
            sum += terms[k].slope * terms[k].term.offset(row_values[terms[k].term.feature]);
        sums[row] += sum;
    }
}

template <class Leaf>
void CodedLinearLeaves::add(const CodedLinearLeaf& line, const Leaf* leaves,
                            const LinearBlock& block, int n_rows, const double* values, int first,
                            int width, int step, double* sums) const {
    if (leaf_width_ == 1) return add_one(line, leaves, block, n_rows, values, sums);
    const auto stride = std::ssize(columns_);
    for (int row = 0; row < n_rows; ++row) {
        const std::int64_t leaf = leaves[row], begin = line.first_term + leaf * line.n_terms;
        double totals[4];
        for (int k = 0; k < width; ++k) totals[k] = values[leaf * step + k];
        for (std::int64_t t = begin; t < begin + line.n_terms; ++t) {
            const LinearLeafTerm& term = terms_[static_cast<std::size_t>(t)].term;
            const double offset =
                term.offset(block.values[static_cast<std::size_t>(row * stride + term.feature)]);
            const double* slopes = slopes_.data() + t * leaf_width_ + first;
            for (int k = 0; k < width; ++k) totals[k] += slopes[k] * offset;
        }
        for (int k = 0; k < width; ++k) sums[row * step + k] += totals[k];
    }
}

template void CodedLinearLeaves::add(const CodedLinearLeaf&, const std::uint8_t*,
                                     const LinearBlock&, int, const double*, int, int, int,
                                     double*) const;
template void CodedLinearLeaves::add(const CodedLinearLeaf&, const std::int32_t*,
                                     const LinearBlock&, int, const double*, int, int, int,
                                     double*) const;

} // namespace ceiba
