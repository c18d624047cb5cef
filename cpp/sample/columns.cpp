#include "sample/columns.hpp"

#include "base/hash.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace ceiba {

std::vector<int> sample_columns(const std::vector<int>& from, double fraction, const ColumnKey& key,
                                std::uint64_t stage, std::uint64_t place) {
    const auto n = from.size();
    const auto wanted = std::max<std::size_t>(
        1, static_cast<std::size_t>(std::floor(fraction * static_cast<double>(n) + 0.5)));
    if (fraction >= 1 || wanted >= n) return from;
    const std::uint64_t base = hash64(hash64(key.seed, key.round, key.tree), stage, place);
    std::vector<std::pair<std::uint64_t, int>> lots;
    lots.reserve(n);
    for (const int column : from)
        lots.emplace_back(hash64(base, static_cast<std::uint64_t>(column)), column);
    std::nth_element(lots.begin(), lots.begin() + static_cast<std::ptrdiff_t>(wanted), lots.end());
    std::vector<int> chosen;
    chosen.reserve(wanted);
    for (std::size_t i = 0; i < wanted; ++i) chosen.push_back(lots[i].second);
    std::sort(chosen.begin(), chosen.end());
    return chosen;
}

} // namespace ceiba
