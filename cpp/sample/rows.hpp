// Row sampling that does not depend on gradients: Bernoulli, uniform, bootstrap, Bayesian
// bootstrap.
//
// The random number of a row is a hash of (seed, round, tree of the round, row); draws with
// replacement hash their own index. So samples do not depend on threads or blocks.
#pragma once

#include "base/hash.hpp"

#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

namespace ceiba {

// Identifies a sample: the round of a training and the index of a tree in it.
struct RowKey {
    std::uint64_t seed = 0, round = 0, tree = 0;
};

class RowNumbers {
  public:
    explicit RowNumbers(const RowKey& key) : key_(hash64(key.seed, key.round, key.tree)) {}

    // Row numbers advance in steps of an odd constant, as in splitmix64: one mix per row is enough.
    std::uint64_t hash(std::int64_t row) const {
        return mix64(key_ + static_cast<std::uint64_t>(row) * 0x9E3779B97F4A7C15ULL);
    }
    // In [0, 1).
    double operator[](std::int64_t row) const { return to_unit(hash(row)); }
    // Whether the number of a row is below a fraction, with limit = limit_of(fraction). Compares
    // integers.
    bool is_below(std::int64_t row, std::uint64_t limit) const { return hash(row) >> 11 < limit; }
    static std::uint64_t limit_of(double fraction) {
        return static_cast<std::uint64_t>(std::ceil(fraction * 0x1.0p53));
    }

  private:
    std::uint64_t key_;
};

// The rows that may be drawn: all n of a table, or a list of n in increasing order.
struct Candidates {
    std::int64_t n = 0;
    const std::int32_t* rows = nullptr; // null: all rows, 0 to n - 1

    std::int32_t operator[](std::int64_t i) const {
        return rows != nullptr ? rows[i] : static_cast<std::int32_t>(i);
    }
};

// Rows in increasing order and their multipliers; empty multipliers: all are 1.
struct SampledRows {
    std::vector<std::int32_t> rows;
    std::vector<double> multipliers;
};

// Rows whose random number is below the fraction; if there are none, the row with the smallest
// number.
std::vector<std::int32_t> bernoulli_rows(const RowKey& key, const Candidates& from, double fraction,
                                         int n_threads);
// `wanted` rows with the smallest hashes: a sample without replacement.
std::vector<std::int32_t> uniform_rows(const RowKey& key, const Candidates& from,
                                       std::int64_t wanted, int n_threads);
// Rows drawn with replacement; the multiplier of a row is how often it was drawn.
SampledRows bootstrap_rows(const RowKey& key, std::int64_t n_rows, std::int64_t n_draws,
                           int n_threads);
// (-log u)^temperature for every row, with u uniform: the Bayesian bootstrap if the temperature is
// 1.
std::vector<double> bayesian_multipliers(const RowKey& key, std::int64_t n_rows, double temperature,
                                         int n_threads);

} // namespace ceiba
