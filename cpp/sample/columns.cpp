#include "sample/columns.hpp"

#include "base/hash.hpp"
#include "base/math.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

namespace ceiba {

namespace {

// The ring time of a column's exponential clock. The lot orders columns whose clock never rings.
double time_of(std::uint64_t lot, double weight) {
    if (!(weight > 0)) return std::numeric_limits<double>::infinity();
    return -math::log((static_cast<double>(lot >> 11) + 0.5) * 0x1.0p-53) / weight;
}

} // namespace

std::uint64_t lots_of(const ColumnKey& key, std::uint64_t stage, std::uint64_t place) {
    return hash64(hash64(key.seed, key.round, key.tree), stage, place);
}

std::uint64_t lot_of(const ColumnKey& key, std::uint64_t stage, std::uint64_t place, int column) {
    return hash64(lots_of(key, stage, place), static_cast<std::uint64_t>(column));
}

namespace {

// Few columns by lot alone: keep the current leaders sorted.
constexpr std::size_t kFew = 32;

std::vector<int> draw_few(const std::vector<int>& from, std::size_t wanted, std::uint64_t base) {
    std::uint64_t lots[kFew];
    int columns[kFew];
    std::size_t n = 0;
    for (const int column : from) {
        const std::uint64_t lot = hash64(base, static_cast<std::uint64_t>(column));
        if (n == wanted && lot >= lots[n - 1]) continue;
        std::size_t at = n < wanted ? n++ : n - 1;
        for (; at > 0 && lot < lots[at - 1]; --at) {
            lots[at] = lots[at - 1];
            columns[at] = columns[at - 1];
        }
        lots[at] = lot;
        columns[at] = column;
    }
    std::vector<int> chosen(columns, columns + n);
    std::sort(chosen.begin(), chosen.end());
    return chosen;
}

// Ring times of the columns.
std::vector<std::tuple<double, std::uint64_t, int>>
turns_of(const std::vector<int>& from, std::uint64_t base, std::span<const double> weights) {
    std::vector<std::tuple<double, std::uint64_t, int>> lots;
    lots.reserve(from.size());
    for (const int column : from) {
        const std::uint64_t lot = hash64(base, static_cast<std::uint64_t>(column));
        const double time =
            weights.empty() ? 0.0 : time_of(lot, weights[static_cast<std::size_t>(column)]);
        lots.emplace_back(time, lot, column);
    }
    return lots;
}

} // namespace

std::vector<int> columns_in_turn(const std::vector<int>& from, const ColumnKey& key,
                                 std::uint64_t stage, std::uint64_t place,
                                 std::span<const double> weights) {
    auto lots =
        turns_of(from, hash64(hash64(key.seed, key.round, key.tree), stage, place), weights);
    std::sort(lots.begin(), lots.end());
    std::vector<int> columns;
    columns.reserve(lots.size());
    for (const auto& lot : lots) columns.push_back(std::get<2>(lot));
    return columns;
}

std::vector<int> draw_columns(const std::vector<int>& from, std::size_t wanted,
                              const ColumnKey& key, std::uint64_t stage, std::uint64_t place,
                              std::span<const double> weights) {
    const auto n = from.size();
    if (wanted >= n) return from;
    const std::uint64_t base = hash64(hash64(key.seed, key.round, key.tree), stage, place);
    if (weights.empty() && wanted <= kFew) return draw_few(from, wanted, base);
    auto lots = turns_of(from, base, weights);
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
