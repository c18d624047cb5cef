#include "sample/rows.hpp"

#include "base/settings.hpp"
#include "parallel/pool.hpp"

#include <algorithm>

namespace ceiba {

std::vector<std::int32_t> sample_rows(std::uint64_t seed, std::uint64_t round, std::int64_t n_rows,
                                      double fraction, int n_threads) {
    const RowNumbers numbers(seed, round);
    const std::int64_t size = settings().chunk_rows, n_chunks = (n_rows + size - 1) / size;
    std::vector<std::vector<std::int32_t>> parts(static_cast<std::size_t>(n_chunks));
    parallel_for(useful_threads(n_threads, n_rows), n_chunks, [&](std::int64_t c) {
        const std::int64_t begin = c * size, end = std::min(n_rows, begin + size);
        auto& part = parts[static_cast<std::size_t>(c)];
        part.resize(static_cast<std::size_t>(end - begin));
        std::size_t n = 0;
        for (std::int64_t row = begin; row < end; ++row) {
            part[n] = static_cast<std::int32_t>(row);
            n += numbers[row] < fraction;
        }
        part.resize(n);
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
