// Distributes a leaf of value 1 among its players, for every pattern of conditions that a row may
// meet.
//
// Units of a leaf of n players: one for each, then (with interactions) one for each pair (0, 1),
// (0, 2), ..., (1, 2), ... A pattern is a set of players whose conditions hold: bit k for player k.
#pragma once

#include "explain/leaf_paths.hpp"
#include "explain/share_kernels.hpp"

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

// a! b! / (a + b + 1)!, the integral of t^a (1 - t)^b over [0, 1].
double shapley_weight(std::int64_t a, std::int64_t b);

// Computes units; each thread has its own.
class LeafUnits {
  public:
    explicit LeafUnits(bool pairs) : pairs_(pairs) {}

    // Units of one row; holds has a flag for each player.
    const double* of_row(std::span<const PathPlayer> players, const std::uint8_t* holds);

    // units[unit << n_players | pattern] for all patterns of up to twelve players. The shares of
    // training rows replace the conditions of absent players.
    const std::vector<double>& of_patterns(std::span<const PathPlayer> players);

    // If background rows replace absent players, with counts[pattern] of n_rows: units of a row
    // with one pattern, and of all patterns.
    const double* of_row(int n_players, std::uint32_t pattern, const std::uint32_t* counts,
                         std::int64_t n_rows);
    const std::vector<double>& of_patterns(int n_players, const std::uint32_t* counts,
                                           std::int64_t n_rows);

    // The same for any number of players: begin(), then meet() with every group of background rows.
    void begin(std::int64_t n_players);
    void meet(const std::uint8_t* own, const std::uint8_t* others, double share);
    const double* units() const { return units_.data(); }

  private:
    LeafTerms terms_of(std::span<const PathPlayer> players, const std::uint8_t* holds);
    void share_out(double share);

    bool pairs_;
    std::vector<double> shares_, scratch_, units_, table_;
    std::int64_t n_players_ = 0;
    std::vector<std::int32_t> only_own_, only_other_;
};

} // namespace ceiba
