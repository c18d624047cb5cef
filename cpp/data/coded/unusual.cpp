#include "data/coded/unusual.hpp"

#include <algorithm>
#include <cstring>

namespace ceiba {

void Unusual::add(const std::uint8_t* found, std::int64_t n, std::uint8_t usual,
                  std::uint8_t missing_code, std::int64_t first_row) {
    std::uint64_t pattern = 0;
    std::memset(&pattern, usual, sizeof pattern);
    const auto look = [&](std::int64_t row) {
        if (found[row] == usual) return;
        rows.push_back(static_cast<std::int32_t>(first_row + row));
        codes.push_back(found[row]);
        missing = missing || found[row] == missing_code;
    };
    std::int64_t row = 0;
    for (; row + 8 <= n; row += 8) {
        std::uint64_t eight;
        std::memcpy(&eight, found + row, sizeof eight);
        if (eight == pattern) continue;
        for (std::int64_t i = row; i < row + 8; ++i) look(i);
    }
    for (; row < n; ++row) look(row);
}

void Unusual::add(const BinMapper& mapper, int feature, const Column& column, Code usual,
                  std::int64_t first_row) {
    constexpr std::int64_t kAtOnce = SortedSearch::most_at_once;
    double values[kAtOnce];
    std::uint16_t found[kAtOnce];
    const auto missing_code = static_cast<Code>(mapper.missing_code(feature));
    for (std::size_t c = 0; c < column.chunks().size(); ++c) {
        const ColumnChunk& chunk = column.chunks()[c];
        for (std::int64_t begin = 0; begin < chunk.n_entries; begin += kAtOnce) {
            const std::int64_t n = std::min(kAtOnce, chunk.n_entries - begin);
            read_entries(chunk, begin, n, values);
            mapper.codes(feature, values, n, found);
            for (std::int64_t i = 0; i < n; ++i) {
                if (found[i] == usual) continue;
                rows.push_back(static_cast<std::int32_t>(first_row + column.first_row(c) +
                                                         chunk.rows[begin + i]));
                codes.push_back(found[i]);
                missing = missing || found[i] == missing_code;
            }
        }
    }
}

} // namespace ceiba
