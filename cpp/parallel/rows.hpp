// Parallel loops over all rows of a table, in chunks of equal size.
#pragma once

#include "base/settings.hpp"
#include "parallel/pool.hpp"

#include <algorithm>
#include <cstdint>
#include <type_traits>
#include <vector>

namespace ceiba {

// Call task(begin, end) for every chunk.
template <class Task>
void over_rows(std::int64_t n_rows, int n_threads, Task&& task) {
    const std::int64_t size = settings().chunk_rows;
    parallel_for(useful_threads(n_threads, n_rows), (n_rows + size - 1) / size,
                 [&](std::int64_t c) { task(c * size, std::min(n_rows, (c + 1) * size)); });
}

// The results of make(begin, end) for every chunk, in row order.
template <class Make>
auto parts_of_rows(std::int64_t n_rows, int n_threads, Make&& make) {
    const std::int64_t size = settings().chunk_rows;
    std::vector<std::invoke_result_t<Make&, std::int64_t, std::int64_t>> parts(
        static_cast<std::size_t>((n_rows + size - 1) / size));
    over_rows(n_rows, n_threads, [&](std::int64_t begin, std::int64_t end) {
        parts[static_cast<std::size_t>(begin / size)] = make(begin, end);
    });
    return parts;
}

} // namespace ceiba
