// Row samples that know nothing of gradients.
//
// The number of a row is a hash of (seed, round, tree of the round, row), that of a draw one of its
// own number. Neither threads nor blocks have a say.
#pragma once

#include "base/hash.hpp"

#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

namespace ceiba {

// Whose sample it is: a round of a training, and the place of a tree in it.
struct RowKey {
    std::uint64_t seed = 0, round = 0, tree = 0;
};

class RowNumbers {
  public:
    explicit RowNumbers(const RowKey& key) : key_(hash64(key.seed, key.round, key.tree)) {}

    // Rows count in steps of an odd number, as in splitmix64: one mix a row is enough.
    std::uint64_t hash(std::int64_t row) const {
        return mix64(key_ + static_cast<std::uint64_t>(row) * 0x9E3779B97F4A7C15ULL);
    }
    // In [0, 1).
    double operator[](std::int64_t row) const { return to_unit(hash(row)); }
    // Whether it is below a fraction: is_below(row, limit_of(fraction)). Integers are compared.
    bool is_below(std::int64_t row, std::uint64_t limit) const { return hash(row) >> 11 < limit; }
    static std::uint64_t limit_of(double fraction) {
        return static_cast<std::uint64_t>(std::ceil(fraction * 0x1.0p53));
    }

  private:
    std::uint64_t key_;
};

// Which rows may be drawn: n of them, all of a table or those of a list in increasing order.
struct Candidates {
    std::int64_t n = 0;
    const std::int32_t* rows = nullptr; // none: 0 .. n

    std::int32_t operator[](std::int64_t i) const {
        return rows != nullptr ? rows[i] : static_cast<std::int32_t>(i);
    }
};

// Rows in increasing order, and what each is multiplied by; no multipliers: all are 1.
struct SampledRows {
    std::vector<std::int32_t> rows;
    std::vector<double> multipliers;
};

// Rows whose number is below the fraction. A sample that would be empty takes the row of the
// smallest number.
std::vector<std::int32_t> bernoulli_rows(const RowKey& key, const Candidates& from, double fraction,
                                         int n_threads);
// As many rows as are wanted, those of the smallest hashes: a sample without replacement.
std::vector<std::int32_t> uniform_rows(const RowKey& key, const Candidates& from,
                                       std::int64_t wanted, int n_threads);
// Rows drawn with replacement; a row is multiplied by how often it was drawn.
SampledRows bootstrap_rows(const RowKey& key, std::int64_t n_rows, std::int64_t n_draws,
                           int n_threads);
// (-log u)^temperature for every row, u being its own number: the Bayesian bootstrap where the
// temperature is 1.
std::vector<double> bayesian_multipliers(const RowKey& key, std::int64_t n_rows, double temperature,
                                         int n_threads);

} // namespace ceiba
