#include "data/sorted_search.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace ceiba {

void SortedSearch::assign(const double* keys, int n_keys) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    n_keys_ = n_keys;
    // The halving looks less than 2^(steps - 1) <= n_keys places beyond the last key.
    keys_.assign(2 * static_cast<std::size_t>(n_keys) + 2, infinity);
    std::copy(keys, keys + n_keys, keys_.begin());
    const int n_cells = static_cast<int>(std::bit_ceil(std::clamp<unsigned>(4 * n_keys, 4, 8192)));
    start_.assign(n_cells, 0);

    int first = 0, last = n_keys - 1;
    while (first < n_keys && std::isinf(keys[first])) ++first;
    while (last >= first && std::isinf(keys[last])) --last;
    if (last <= first) {
        guide_ = Guide::make(0.0, infinity, n_cells, false);
        steps_ = try_guide(guide_);
        return;
    }
    // Outliers may stretch the range until the cells say nothing: then leave them to the cells at the ends.
    // Values over many powers of ten are told apart by their bits.
    const int trim = (last - first) / 64;
    const Guide candidates[] = {
        Guide::make(keys[first], keys[last], n_cells, false),
        Guide::make(keys[first + trim], keys[last - trim], n_cells, false),
        Guide::make(keys[first], keys[last], n_cells, true),
    };
    steps_ = std::numeric_limits<int>::max();
    for (const Guide& candidate : candidates) {
        const int steps = try_guide(candidate);
        if (steps < steps_) {
            steps_ = steps;
            guide_ = candidate;
        }
        if (steps_ <= 2) break;
    }
    try_guide(guide_);
}

int SortedSearch::try_guide(const Guide& guide) {
    const int n_cells = static_cast<int>(start_.size());
    int most = 0, cell = 0, i = 0;
    while (i < n_keys_) {
        const int here = guide.cell(keys_[i]);
        while (cell <= here) start_[cell++] = static_cast<std::uint16_t>(i);
        const int begin = i;
        while (i < n_keys_ && guide.cell(keys_[i]) == here) ++i;
        most = std::max(most, i - begin);
    }
    while (cell < n_cells) start_[cell++] = static_cast<std::uint16_t>(n_keys_);
    return std::bit_width(static_cast<unsigned>(most));
}

} // namespace ceiba
