// Internal sizes, and counters that prove that a path ran.
//
// None of these changes one bit of a model. Users never see them: the tests make them small, so
// that tables of a hundred rows take the paths that otherwise need a hundred thousand.
#pragma once

#include <atomic>
#include <cstdint>

namespace ceiba {

struct Settings {
    std::int64_t block_rows = 4096;    // rows summed in packed words before a flush (at most 4096)
    std::int64_t chunk_rows = 16384;   // rows of one chunk of a parallel job over rows
    std::int64_t serial_below = 32768; // jobs of fewer steps of work stay on the caller's thread
    std::int64_t shard_rows = 0;       // rows of a shard in memory; 0 puts all rows into one
    std::int64_t cached_codes = std::int64_t{24} << 20; // tables of more codes have wide groups
    std::int64_t digit_rows = 8192;  // tables of fewer rows keep columns of few codes apart
    std::int64_t routed_nodes = 512; // splits of a tree that rows are routed by all at a time
    std::int64_t thin_columns = 64;  // from so many nearly empty columns on they become lists
    // What a window of rows (rows/row_window.hpp) may hold to stay in the first-level cache; 0: trees
    // are grown without windows.
    std::int64_t window_bytes = 28672;
};

struct Counters {
    std::atomic<std::int64_t> parallel_jobs{0};
    std::atomic<std::int64_t> flushes{0};
    std::atomic<std::int64_t> chunked_partitions{0};
    std::atomic<std::int64_t> merged_histograms{0};
    std::atomic<std::int64_t> single_trees{0};
    std::atomic<std::int64_t> packed_trees{0};
    std::atomic<std::int64_t> wide_trees{0};
    std::atomic<std::int64_t> extra_shards{0};
    std::atomic<std::int64_t> shared_columns{0};
    std::atomic<std::int64_t> listed_columns{0};
    std::atomic<std::int64_t> windows{0};
    std::atomic<std::int64_t> paired_columns{0};
};

Settings& settings();
Counters& counters();

inline void count(std::atomic<std::int64_t>& counter, std::int64_t by = 1) {
    counter.fetch_add(by, std::memory_order_relaxed);
}

} // namespace ceiba
