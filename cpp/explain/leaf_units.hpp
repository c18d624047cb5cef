// What a leaf of value 1 gives to its players, for every row that it may meet.
//
// Units of a leaf of n players: one for each, then (with interactions) one for each pair (0, 1), (0, 2),
// ..., (1, 2), ... A pattern is a set of players whose conditions hold: bit k for player k.
#pragma once

#include "explain/leaf_paths.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace ceiba {

inline std::int64_t pair_of(std::int64_t i, std::int64_t j, std::int64_t n) { // i < j
    return i * n - i * (i + 1) / 2 + (j - i - 1);
}

inline std::int64_t n_units_of(std::int64_t n_players, bool pairs) {
    return n_players + (pairs ? n_players * (n_players - 1) / 2 : 0);
}

// Makes units; each thread has its own.
class LeafUnits {
  public:
    explicit LeafUnits(bool pairs) : pairs_(pairs) {}

    // Of one row; holds has a flag for each player.
    const double* of_row(std::span<const PathPlayer> players, const std::uint8_t* holds);

    // units[unit << n_players | pattern] for all patterns of up to eight players, whose shares of
    // training rows stand for them when they are absent.
    const std::vector<double>& of_patterns(std::span<const PathPlayer> players);
    // The same where background rows do: counts[pattern] of them meet a pattern.
    const std::vector<double>& of_background(int n_players, const std::uint32_t* counts,
                                             std::int64_t n_rows);

    // One row with background rows that meet one pattern, a share of them all, is added.
    void begin_pairs_of_rows(std::int64_t n_players);
    void add_pair_of_rows(const std::uint8_t* own, const std::uint8_t* other, double share);
    const double* pairs_of_rows() const { return units_.data(); }

  private:

    bool pairs_;
    std::vector<double> shares_, scratch_, units_, table_;
    std::vector<std::uint8_t> holds_;
    std::vector<std::int32_t> only_own_, only_other_;
};

} // namespace ceiba
