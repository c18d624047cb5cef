// Select the k smallest of n rows by a 64-bit key, ties by row number. The result is exact and does
// not depend on the number of threads.
//
// Rows are counted by the top bits of their keys; only the bucket that contains the k-th is
// searched row by row.
#pragma once

#include "base/settings.hpp"
#include "parallel/pool.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace ceiba {

// The last taken row, with its key.
struct Cut {
    std::uint64_t key = 0;
    std::int64_t row = -1;

    bool takes(std::uint64_t other, std::int64_t other_row) const {
        return other < key || (other == key && other_row <= row);
    }
};

// Call work(part, begin, end) for as many parts as there are useful threads.
template <class Work>
int over_parts(std::int64_t n_rows, int n_threads, Work&& work) {
    const int threads = useful_threads(n_threads, n_rows);
    const std::int64_t size = settings().chunk_rows,
                       n_parts = std::max<std::int64_t>(
                           1, std::min<std::int64_t>(threads, (n_rows + size - 1) / size));
    parallel_for(threads, n_parts, [&](std::int64_t p) {
        work(static_cast<int>(p), n_rows * p / n_parts, n_rows * (p + 1) / n_parts);
    });
    return static_cast<int>(n_parts);
}

// The cut that takes k of n_rows (1 <= k <= n_rows). key_of(row): its key, first_of(row): the first
// kBits bits of it.
template <int kBits, class FirstOf, class KeyOf>
Cut find_cut(std::int64_t n_rows, std::int64_t k, int n_threads, FirstOf first_of, KeyOf key_of) {
    std::vector<std::vector<std::uint32_t>> counts(
        static_cast<std::size_t>(std::max(1, n_threads)));
    const int n_parts =
        over_parts(n_rows, n_threads, [&](int part, std::int64_t begin, std::int64_t end) {
            auto& own = counts[static_cast<std::size_t>(part)];
            own.assign(std::size_t{1} << kBits, 0);
            for (std::int64_t row = begin; row < end; ++row)
                ++own[static_cast<std::size_t>(first_of(row))];
        });
    std::size_t bucket = 0;
    for (;; ++bucket) {
        std::int64_t here = 0;
        for (int p = 0; p < n_parts; ++p) here += counts[static_cast<std::size_t>(p)][bucket];
        if (here >= k) break;
        k -= here;
    }
    using Entry = std::pair<std::uint64_t, std::int64_t>;
    std::vector<std::vector<Entry>> found(static_cast<std::size_t>(n_parts));
    over_parts(n_rows, n_threads, [&](int part, std::int64_t begin, std::int64_t end) {
        auto& own = found[static_cast<std::size_t>(part)];
        own.reserve(counts[static_cast<std::size_t>(part)][bucket]);
        for (std::int64_t row = begin; row < end; ++row)
            if (static_cast<std::size_t>(first_of(row)) == bucket)
                own.emplace_back(key_of(row), row);
    });
    std::vector<Entry>& all = found[0];
    for (std::size_t p = 1; p < found.size(); ++p)
        all.insert(all.end(), found[p].begin(), found[p].end());
    const auto kth = all.begin() + static_cast<std::ptrdiff_t>(k - 1);
    std::nth_element(all.begin(), kth, all.end());
    return {kth->first, kth->second};
}

} // namespace ceiba
