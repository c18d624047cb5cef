#include "sample/columns.hpp"

#include "base/hash.hpp"
#include "base/math.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

namespace ceiba {

namespace {

// When the clock of a column rings; the lot decides between those that never do.
double time_of(std::uint64_t lot, double weight) {
    if (!(weight > 0)) return std::numeric_limits<double>::infinity();
    return -math::log((static_cast<double>(lot >> 11) + 0.5) * 0x1.0p-53) / weight;
}

} // namespace

std::uint64_t lot_of(const ColumnKey& key, std::uint64_t stage, std::uint64_t place, int column) {
    return hash64(hash64(hash64(key.seed, key.round, key.tree), stage, place),
                  static_cast<std::uint64_t>(column));
}

std::vector<int> draw_columns(const std::vector<int>& from, std::size_t wanted,
                              const ColumnKey& key, std::uint64_t stage, std::uint64_t place,
                              std::span<const double> weights) {
    const auto n = from.size();
    if (wanted >= n) return from;
    const std::uint64_t base = hash64(hash64(key.seed, key.round, key.tree), stage, place);
    std::vector<std::tuple<double, std::uint64_t, int>> lots;
    lots.reserve(n);
    for (const int column : from) {
        const std::uint64_t lot = hash64(base, static_cast<std::uint64_t>(column));
        const double time =
            weights.empty() ? 0.0 : time_of(lot, weights[static_cast<std::size_t>(column)]);
        lots.emplace_back(time, lot, column);
    }
    std::nth_element(lots.begin(), lots.begin() + static_cast<std::ptrdiff_t>(wanted), lots.end());
    std::vector<int> chosen;
    chosen.reserve(wanted);
    for (std::size_t i = 0; i < wanted; ++i) chosen.push_back(std::get<2>(lots[i]));
    std::sort(chosen.begin(), chosen.end());
    return chosen;
}

std::vector<int> sample_columns(const std::vector<int>& from, double fraction, const ColumnKey& key,
                                std::uint64_t stage, std::uint64_t place,
                                std::span<const double> weights) {
    if (fraction >= 1) return from;
    const auto wanted = std::max<std::size_t>(
        1, static_cast<std::size_t>(std::floor(fraction * static_cast<double>(from.size()) + 0.5)));
    return draw_columns(from, wanted, key, stage, place, weights);
}

} // namespace ceiba
