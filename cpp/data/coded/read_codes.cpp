#include "data/coded/read_codes.hpp"

#include <algorithm>

namespace ceiba {

void read_codes(const BinnedMatrix& matrix, int feature, std::int64_t begin, std::int64_t n,
                std::uint16_t* codes) {
    const BinnedMatrix::Home& own = matrix.home(feature);
    if (own.list >= 0) {
        std::fill_n(codes, n, static_cast<std::uint16_t>(matrix.lists().usual_code(own.list)));
        const SparseEntries entries = matrix.lists().entries(own.list);
        const auto* end = entries.rows + entries.n;
        for (const auto* at = std::lower_bound(entries.rows, end, begin);
             at != end && *at < begin + n; ++at)
            codes[*at - begin] = entries.codes[at - entries.rows];
    } else if (own.stored < 0) {
        std::fill_n(codes, n, std::uint16_t{0});
    } else {
        matrix.with_column(feature, [&](const auto* stored) {
            for (std::int64_t i = 0; i < n; ++i)
                codes[i] = static_cast<std::uint16_t>(own.member.code_of(stored[begin + i]));
        });
    }
}

int usual_code(const BinnedMatrix& matrix, int feature) {
    const BinnedMatrix::Home& own = matrix.home(feature);
    return own.list >= 0 ? static_cast<int>(matrix.lists().usual_code(own.list))
                         : own.member.usual_code;
}

} // namespace ceiba
