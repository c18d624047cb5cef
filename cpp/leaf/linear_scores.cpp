// Adds the leaf outputs of a tree to scores, from contiguous values.
#include "leaf/linear_leaves.hpp"
#include "tree/linear_part.hpp"

#include <algorithm>

namespace ceiba {

void TreeLinearLeaves::add_to_scores(const TreeArrays& arrays, std::int64_t first_node,
                                     bool with_values, std::int64_t n_rows, const double* scores,
                                     double* moved, int n_threads) const {
    const auto add_piece = [&](const Piece& piece, std::int64_t output) {
        const std::int64_t node = first_node + piece.node, offset = output * n_rows;
        const double value = with_values ? arrays.value[node * width_ + output] : 0.0;
        const std::int64_t first = arrays.linear_offsets[node], n = arrays.n_terms_of(node);
        double sums[kLinearRows];
        for (std::int64_t at = 0; at < piece.size(); at += kLinearRows) {
            const auto size =
                static_cast<int>(std::min<std::int64_t>(kLinearRows, piece.size() - at));
            std::fill_n(sums, size, value);
            for (std::int64_t t = 0; t < n; ++t) {
                const LinearLeafTerm term = linear_term(arrays, first + t);
                const Regressor& own = linear_leaves_[static_cast<std::size_t>(piece.line)]
                                           .regressors[static_cast<std::size_t>(t)];
                linear_kernels().add_term(values_.data() + own.first + piece.first + at, size,
                                          term.low, term.high, term.mean,
                                          arrays.linear_slope[(first + t) * width_ + output], sums);
            }
            const std::int32_t* rows = rows_.rows.data() + piece.begin + at;
            for (int i = 0; i < size; ++i)
                moved[offset + rows[i]] = scores[offset + rows[i]] + sums[i];
        }
    };
    for_each_piece(n_threads, 4, [&](std::size_t p) {
        for (std::int64_t output = 0; output < width_; ++output) add_piece(pieces_[p], output);
    });
}

} // namespace ceiba
