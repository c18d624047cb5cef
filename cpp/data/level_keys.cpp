#include "data/level_keys.hpp"

#include "base/errors.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <string>
#include <utility>

namespace ceiba {
namespace {

constexpr std::uint64_t kMostKeys = std::uint64_t{1} << 63;
constexpr std::int64_t kTile = 1024;
// A table of all possible keys is worth its memory up to here, and where it is hardly larger than
// the keys that there are.
constexpr std::uint64_t kSmallTable = 1 << 16;
constexpr std::uint64_t kSparse = 4;

} // namespace

KeyMaker::KeyMaker(std::vector<std::int64_t> n_levels) : n_levels_(std::move(n_levels)) {
    for (const std::int64_t n : n_levels_) {
        const auto base = static_cast<std::uint64_t>(n) + 1;
        if (n < 0 || n_possible_ > kMostKeys / base)
            throw InputError("A combination of levels must have fewer than 2^63 possible values. "
                             "Combine fewer columns.");
        n_possible_ *= base;
    }
}

void KeyMaker::make(std::span<const Column* const> columns, std::int64_t begin, std::int64_t n,
                    std::uint64_t* keys) const {
    std::fill_n(keys, n, std::uint64_t{0});
    double values[kTile];
    for (std::int64_t first = 0; first < n; first += kTile) {
        const std::int64_t n_here = std::min(kTile, n - first);
        std::uint64_t* own = keys + first;
        std::uint64_t factor = 1;
        for (std::size_t j = 0; j < columns.size(); ++j) {
            columns[j]->read(begin + first, n_here, values);
            const auto n_levels = static_cast<std::uint64_t>(n_levels_[j]);
            const auto end = static_cast<double>(n_levels_[j]);
            for (std::int64_t i = 0; i < n_here; ++i) {
                const double x = values[i];
                const bool known = x >= 0.0 && x < end;
                const std::uint64_t level = known ? static_cast<std::uint64_t>(x) : n_levels;
                const bool unseen = !known && x == x;
                own[i] = unseen || own[i] == kNoKey ? kNoKey : own[i] + factor * level;
            }
            factor *= n_levels + 1;
        }
    }
}

KeyIndex::KeyIndex(std::span<const std::uint64_t> keys, std::uint64_t n_possible) {
    if (n_possible <= std::max(kSmallTable, kSparse * keys.size())) {
        dense_.assign(static_cast<std::size_t>(n_possible), kNoPlace);
        for (std::size_t k = 0; k < keys.size(); ++k)
            dense_[static_cast<std::size_t>(keys[k])] = static_cast<std::int32_t>(k);
        return;
    }
    const std::size_t n_slots = std::bit_ceil(2 * keys.size() + 2);
    mask_ = n_slots - 1;
    shift_ = 64 - std::countr_zero(n_slots);
    slots_.assign(n_slots, kNoKey);
    places_.assign(n_slots, kNoPlace);
    for (std::size_t k = 0; k < keys.size(); ++k) {
        std::size_t slot = first_slot(keys[k]);
        while (places_[slot] != kNoPlace) slot = (slot + 1) & mask_;
        slots_[slot] = keys[k];
        places_[slot] = static_cast<std::int32_t>(k);
    }
}

KeyedRows key_rows(const KeyMaker& maker, std::span<const Column* const> columns) {
    const std::int64_t n_rows = columns.empty() ? 0 : columns[0]->n_rows();
    std::vector<std::uint64_t> of_rows(static_cast<std::size_t>(n_rows));
    maker.make(columns, 0, n_rows, of_rows.data());
    KeyedRows rows;
    rows.keys = of_rows;
    std::sort(rows.keys.begin(), rows.keys.end());
    rows.keys.erase(std::unique(rows.keys.begin(), rows.keys.end()), rows.keys.end());
    if (!rows.keys.empty() && rows.keys.back() == kNoKey) rows.keys.pop_back();
    const KeyIndex index(rows.keys, maker.n_possible());
    rows.places.resize(of_rows.size());
    std::transform(of_rows.begin(), of_rows.end(), rows.places.begin(),
                   [&](std::uint64_t key) { return index.find(key); });
    return rows;
}

} // namespace ceiba
