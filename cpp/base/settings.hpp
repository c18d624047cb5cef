// Internal sizes, and counters that prove that a code path ran.
//
// None of them changes one bit of a model, and none is public. Tests make the sizes small, so that
// tables of 100 rows take the paths that otherwise need 100,000.
#pragma once

#include <atomic>
#include <cstdint>

namespace ceiba {

struct Settings {
    std::int64_t block_rows = 4096;    // rows summed in packed words before a flush (at most 4096)
    std::int64_t chunk_rows = 16384;   // rows per chunk of a parallel loop over rows
    std::int64_t serial_below = 32768; // jobs with fewer steps of work stay on the caller's thread
    std::int64_t shard_rows = 0;       // rows per shard in memory; 0: one shard for all rows
    // Tables of more codes have wide groups of columns
    std::int64_t cached_codes = std::int64_t{24} << 20;
    std::int64_t digit_rows = 8192;  // smaller tables (rows) do not combine columns of few codes
    std::int64_t routed_nodes = 512; // number of splits of a tree that route rows in one pass
    std::int64_t thin_columns = 64;  // minimum number of nearly empty columns to store as lists
    // Memory of a window of rows (rows/row_window.hpp), so that it fits into the L1 cache; 0
    // disables windows.
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
