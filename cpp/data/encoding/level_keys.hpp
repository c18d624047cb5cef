// Keys: the levels of one category, or of a combination of categories, as one integer per row.
//
//     key = level of column 1 + (n_levels of column 1 + 1) * (level of column 2 + ...)
//
// A missing value has the level n_levels, so it is a level of its own. Larger numbers are levels
// that training did not see: such a row has no key.
//
// The life of keys:
//   1. KeyMaker holds the number of levels of each column and computes the keys of rows.
//   2. key_rows collects the distinct keys of a training table in increasing order, and stores the
//      index of each row's key among them (its place).
//   3. KeyIndex finds the places of keys at predict: by a lookup table if keys are dense, otherwise
//      by a hash table. Both depend on the keys only.
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
    // Throws InputError if keys would need more than 63 bits.
    explicit KeyMaker(std::vector<std::int64_t> n_levels);

    std::size_t n_columns() const { return n_levels_.size(); }
    std::uint64_t n_possible() const { return n_possible_; }
    const std::vector<std::int64_t>& n_levels() const { return n_levels_; }
    // Combines the keys of single columns; kNoKey if one of them is kNoKey.
    std::uint64_t joined(const std::uint64_t* levels) const {
        std::uint64_t key = 0, factor = 1;
        for (std::size_t j = 0; j < n_levels_.size(); ++j) {
            if (levels[j] == kNoKey) return kNoKey;
            key += factor * levels[j];
            factor *= static_cast<std::uint64_t>(n_levels_[j]) + 1;
        }
        return key;
    }
    // Computes the keys of rows [begin, begin + n); kNoKey if a level is unknown.
    void make(std::span<const Column* const> columns, std::int64_t begin, std::int64_t n,
              std::uint64_t* keys) const;

  private:
    std::vector<std::int64_t> n_levels_;
    std::uint64_t n_possible_ = 1;
};

class KeyIndex {
  public:
    // keys: distinct, all below n_possible.
    KeyIndex(std::span<const std::uint64_t> keys, std::uint64_t n_possible);

    // Returns the index of a key in `keys`, or kNoPlace.
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
    std::vector<std::int32_t> places; // of each row; kNoPlace if it has no key
};

KeyedRows key_rows(const KeyMaker& maker, std::span<const Column* const> columns);

} // namespace ceiba
