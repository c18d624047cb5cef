// Sorts values by distributing them into cells first.
//
// Comparison sorts spend most of their time on mispredicted branches. Here values are counted into
// equal cells over their range and moved to their cell, which leaves the few values of each cell to
// sort. A crowded cell is treated in the same way, and by std::sort if that no longer helps.
#pragma once

#include "base/interrupt.hpp"
#include "base/pages.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

namespace ceiba {

// The sort key of an entry; an entry is a double, or a struct with a member `value`.
inline double value_of(double entry) {
    return entry;
}
template <class Entry>
double value_of(const Entry& entry) {
    return entry.value;
}

// Keep one per thread: its buffers are reused.
template <class Entry>
class ValueSort {
  public:
    // Entries must not contain NaN.
    void sort(Entry* entries, std::int64_t n) { sort(entries, n, 0); }

  private:
    static constexpr std::int64_t few = 24;
    static constexpr int max_depth = 3;

    static bool less(const Entry& a, const Entry& b) { return value_of(a) < value_of(b); }

    static void insert_each(Entry* entries, std::int64_t n) {
        for (std::int64_t i = 1; i < n; ++i) {
            const Entry moving = entries[i];
            std::int64_t to = i;
            for (; to > 0 && less(moving, entries[to - 1]); --to) entries[to] = entries[to - 1];
            entries[to] = moving;
        }
    }

    void sort(Entry* entries, std::int64_t n, int depth) {
        if (n <= few) return insert_each(entries, n);
        check_interrupt();
        double low = value_of(entries[0]), high = low;
        for (std::int64_t i = 1; i < n; ++i) {
            low = std::min(low, value_of(entries[i]));
            high = std::max(high, value_of(entries[i]));
        }
        if (low == high) return;
        const std::int64_t n_cells = std::min<std::int64_t>(
            static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(n) / 2)), 1 << 16);
        const double last = static_cast<double>(n_cells - 1);
        const double scale = last / (high - low);
        if (depth == max_depth || !std::isfinite(scale) || !(scale > 0.0) || std::isinf(low) ||
            std::isinf(high)) {
            std::sort(entries, entries + n, less);
            return;
        }
        const auto cell_of = [=](const Entry& entry) {
            const double cell = (value_of(entry) - low) * scale;
            return static_cast<std::uint32_t>(cell < last ? cell : last);
        };
        PagedVector<std::uint32_t>& ends = ends_[depth];
        PagedVector<Entry>& moved = moved_[depth];
        ends.assign(n_cells + 1, 0);
        if (static_cast<std::int64_t>(moved.size()) < n) moved.resize(n);
        for (std::int64_t i = 0; i < n; ++i) ends[cell_of(entries[i]) + 1] += 1;
        check_interrupt();
        for (std::int64_t c = 0; c < n_cells; ++c) ends[c + 1] += ends[c];
        for (std::int64_t i = 0; i < n; ++i) moved[ends[cell_of(entries[i])]++] = entries[i];
        check_interrupt();
        // Now ends[c] is the end of cell c. One insertion sort over all entries sorts the cells
        // with few entries.
        std::int64_t begin = 0;
        for (std::int64_t c = 0; c < n_cells; ++c) {
            const std::int64_t end = ends[c];
            if (end - begin > few) sort(moved.data() + begin, end - begin, depth + 1);
            begin = end;
        }
        insert_each(moved.data(), n);
        std::copy(moved.data(), moved.data() + n, entries);
    }

    PagedVector<std::uint32_t> ends_[max_depth];
    PagedVector<Entry> moved_[max_depth];
};

} // namespace ceiba
