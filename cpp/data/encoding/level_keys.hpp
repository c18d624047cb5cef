// Levels of one category, or of several taken together, as one number: the key of a row.
//
//     key = level of the first column + (its levels + 1) * (level of the second + ...)
//
// The number of a missing value is that of levels, so that missing is a level of its own. A number
// above it stands for a level that the training table did not hold: such a row has no key.
//
// The life of keys:
//   1. KeyMaker knows the columns' numbers of levels and makes the keys of rows.
//   2. key_rows finds the different keys of a training table, in increasing order, and gives every
//      row the place of its own among them.
//   3. KeyIndex finds the place of the keys of other rows: by a table where keys are dense, else by
//      a hash table. Both are functions of the keys alone.
#pragma once

#include "data/column.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace ceiba {

constexpr std::uint64_t kNoKey = ~std::uint64_t{0};
constexpr std::int32_t kNoPlace = -1;

class KeyMaker {
  public:
    // Throws InputError where keys would not fit 63 bits.
    explicit KeyMaker(std::vector<std::int64_t> n_levels);

    std::size_t n_columns() const { return n_levels_.size(); }
    std::uint64_t n_possible() const { return n_possible_; }
    const std::vector<std::int64_t>& n_levels() const { return n_levels_; }
    // The key of levels whose keys as single columns are given; kNoKey where one of them is.
    std::uint64_t joined(const std::uint64_t* levels) const {
        std::uint64_t key = 0, factor = 1;
        for (std::size_t j = 0; j < n_levels_.size(); ++j) {
            if (levels[j] == kNoKey) return kNoKey;
            key += factor * levels[j];
            factor *= static_cast<std::uint64_t>(n_levels_[j]) + 1;
        }
        return key;
    }
    // The keys of rows [begin, begin + n) of the columns; kNoKey for a level that is not known.
    void make(std::span<const Column* const> columns, std::int64_t begin, std::int64_t n,
              std::uint64_t* keys) const;

  private:
    std::vector<std::int64_t> n_levels_;
    std::uint64_t n_possible_ = 1;
};

class KeyIndex {
  public:
    // keys: different ones, all below n_possible.
    KeyIndex(std::span<const std::uint64_t> keys, std::uint64_t n_possible);

    // The place of a key among `keys`, or kNoPlace.
    std::int32_t find(std::uint64_t key) const {
        if (key == kNoKey) return kNoPlace;
        if (!dense_.empty()) return key < dense_.size() ? dense_[key] : kNoPlace;
        for (std::size_t slot = first_slot(key);; slot = (slot + 1) & mask_) {
            if (places_[slot] == kNoPlace || slots_[slot] == key) return places_[slot];
        }
    }

  private:
    std::size_t first_slot(std::uint64_t key) const {
        return static_cast<std::size_t>((key * 0x9E3779B97F4A7C15ULL) >> shift_);
    }

    std::vector<std::int32_t> dense_;
    std::vector<std::uint64_t> slots_;
    std::vector<std::int32_t> places_;
    std::size_t mask_ = 0;
    int shift_ = 0;
};

struct KeyedRows {
    std::vector<std::uint64_t> keys;  // increasing
    std::vector<std::int32_t> places; // of each row; kNoPlace where it has no key
};

KeyedRows key_rows(const KeyMaker& maker, std::span<const Column* const> columns);

} // namespace ceiba
