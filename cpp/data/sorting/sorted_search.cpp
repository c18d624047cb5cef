#include "data/sorting/sorted_search.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace ceiba {

void SortedSearch::assign(const double* keys, int n_keys) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    n_keys_ = n_keys;
    // The search reads less than 2^(steps - 1) <= n_keys places beyond the last key.
    keys_.assign(2 * static_cast<std::size_t>(n_keys) + 2, infinity);
    std::copy(keys, keys + n_keys, keys_.begin());
    const int n_cells = static_cast<int>(std::bit_ceil(std::clamp<unsigned>(4 * n_keys, 4, 8192)));
    start_.assign(n_cells, 0);

    int first = 0, last = n_keys - 1;
    while (first < n_keys && std::isinf(keys[first])) ++first;
    while (last >= first && std::isinf(keys[last])) --last;
    if (last <= first) {
        grid_ = CellGrid::make(0.0, infinity, n_cells, false);
        note_starts();
        return;
    }
    // Outliers may stretch the range until most keys share a cell: then exclude them from the
    // range. Values that span many powers of ten use the cells of their bits.
    const int trim = (last - first) / 64;
    const CellGrid candidates[] = {
        CellGrid::make(keys[first], keys[last], n_cells, false),
        CellGrid::make(keys[first + trim], keys[last - trim], n_cells, false),
        CellGrid::make(keys[first], keys[last], n_cells, true),
    };
    int fewest = n_keys + 1;
    for (const CellGrid& candidate : candidates) {
        const int most = most_in_a_cell(candidate);
        if (most < fewest) {
            fewest = most;
            grid_ = candidate;
        }
        if (fewest <= 3) break; // two steps
    }
    note_starts();
}

int SortedSearch::most_in_a_cell(const CellGrid& grid) const {
    int most = 0, here = 0;
    std::int32_t cell = -1;
    for (int i = 0; i < n_keys_; ++i) {
        const std::int32_t next = grid.cell(keys_[i]);
        here = next == cell ? here + 1 : 1;
        most = std::max(most, here);
        cell = next;
    }
    return most;
}

void SortedSearch::note_starts() {
    std::uint16_t most = 0;
    for (int i = 0; i < n_keys_; ++i) {
        std::uint16_t& count = start_[grid_.cell(keys_[i])];
        most = std::max(most, ++count);
    }
    unsigned start = 0;
    for (std::uint16_t& cell : start_) {
        const unsigned next = start + cell;
        cell = static_cast<std::uint16_t>(start);
        start = next;
    }
    steps_ = std::bit_width(most);
}

} // namespace ceiba
