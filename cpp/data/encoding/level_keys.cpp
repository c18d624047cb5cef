#include "data/encoding/level_keys.hpp"

#include "base/errors.hpp"
#include "base/interrupt.hpp"

#include <algorithm>
#include <bit>
#include <numeric>
#include <string>
#include <utility>

namespace ceiba {
namespace {

constexpr std::uint64_t kMostKeys = std::uint64_t{1} << 63;
constexpr std::int64_t kTile = 1024;
// A lookup table of all possible keys is used up to this size, or if it is at most kSparse times as
// large as the number of keys.
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
        check_interrupt();
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

namespace {

// Finds the distinct keys with a table of all possible keys.
void place_by_table(std::uint64_t n_possible, std::span<const std::uint64_t> of_rows,
                    KeyedRows& rows) {
    std::vector<std::int32_t> place_of(static_cast<std::size_t>(n_possible), kNoPlace);
    for (const std::uint64_t key : of_rows)
        if (key != kNoKey) place_of[static_cast<std::size_t>(key)] = 0;
    for (std::size_t key = 0; key < place_of.size(); ++key) {
        if (place_of[key] == kNoPlace) continue;
        place_of[key] = static_cast<std::int32_t>(rows.keys.size());
        rows.keys.push_back(key);
    }
    std::transform(of_rows.begin(), of_rows.end(), rows.places.begin(), [&](std::uint64_t key) {
        return key == kNoKey ? kNoPlace : place_of[static_cast<std::size_t>(key)];
    });
}

// Finds the distinct keys with a hash table, numbers them by first occurrence, and sorts them.
void place_by_hash(std::span<const std::uint64_t> of_rows, KeyedRows& rows) {
    struct Slot {
        std::uint64_t key;
        std::int32_t number;
    };
    std::size_t n_slots = 1 << 12;
    std::vector<Slot> slots(n_slots, {0, kNoPlace});
    std::vector<std::uint64_t>& keys = rows.keys;
    const auto slot_of = [&](std::uint64_t key) {
        std::size_t slot = (key * 0x9E3779B97F4A7C15ULL) >> (64 - std::countr_zero(n_slots));
        while (slots[slot].number != kNoPlace && slots[slot].key != key)
            slot = (slot + 1) & (n_slots - 1);
        return slot;
    };
    for (std::size_t row = 0; row < of_rows.size(); ++row) {
        if (row % kRowsPerCheck == 0) check_interrupt();
        const std::uint64_t key = of_rows[row];
        rows.places[row] = kNoPlace;
        if (key == kNoKey) continue;
        Slot& found = slots[slot_of(key)];
        if (found.number == kNoPlace) {
            found = {key, static_cast<std::int32_t>(keys.size())};
            keys.push_back(key);
        }
        rows.places[row] = found.number;
        if (2 * keys.size() < n_slots) continue;
        n_slots *= 4;
        slots.assign(n_slots, {0, kNoPlace});
        for (std::size_t k = 0; k < keys.size(); ++k)
            slots[slot_of(keys[k])] = {keys[k], static_cast<std::int32_t>(k)};
    }
    std::vector<std::int32_t> order(keys.size()), place_of(keys.size());
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(), [&](std::int32_t a, std::int32_t b) {
        return keys[static_cast<std::size_t>(a)] < keys[static_cast<std::size_t>(b)];
    });
    for (std::size_t k = 0; k < order.size(); ++k)
        place_of[static_cast<std::size_t>(order[k])] = static_cast<std::int32_t>(k);
    std::sort(keys.begin(), keys.end());
    for (std::int32_t& place : rows.places)
        if (place != kNoPlace) place = place_of[static_cast<std::size_t>(place)];
}

} // namespace

KeyedRows key_rows(const KeyMaker& maker, std::span<const Column* const> columns) {
    const std::int64_t n_rows = columns.empty() ? 0 : columns[0]->n_rows();
    std::vector<std::uint64_t> of_rows(static_cast<std::size_t>(n_rows));
    maker.make(columns, 0, n_rows, of_rows.data());
    KeyedRows rows;
    rows.places.resize(of_rows.size());
    if (maker.n_possible() <= std::max(kSmallTable, kSparse * of_rows.size()))
        place_by_table(maker.n_possible(), of_rows, rows);
    else
        place_by_hash(of_rows, rows);
    return rows;
}

} // namespace ceiba
