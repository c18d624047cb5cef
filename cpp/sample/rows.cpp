#include "sample/rows.hpp"

#include "parallel/rows.hpp"

namespace ceiba {

std::vector<std::int32_t> sample_rows(std::uint64_t seed, std::uint64_t round, std::int64_t n_rows,
                                      double fraction, int n_threads) {
    const RowNumbers numbers(seed, round);
    const auto parts = parts_of_rows(n_rows, n_threads, [&](std::int64_t begin, std::int64_t end) {
        std::vector<std::int32_t> part(static_cast<std::size_t>(end - begin));
        std::size_t n = 0;
        for (std::int64_t row = begin; row < end; ++row) {
            part[n] = static_cast<std::int32_t>(row);
            n += numbers[row] < fraction;
        }
        part.resize(n);
        return part;
    });
    std::vector<std::int32_t> rows;
    std::size_t n = 0;
    for (const auto& part : parts) n += part.size();
    rows.reserve(n);
    for (const auto& part : parts) rows.insert(rows.end(), part.begin(), part.end());
    if (rows.empty() && n_rows > 0) {
        std::int64_t smallest = 0;
        for (std::int64_t row = 1; row < n_rows; ++row)
            if (numbers[row] < numbers[smallest]) smallest = row;
        rows.push_back(static_cast<std::int32_t>(smallest));
    }
    return rows;
}

} // namespace ceiba
