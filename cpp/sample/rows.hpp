// Row sampling: a row is in the sample of a round where its own number of that round is below the
// fraction.
//
// The number of a row is a hash of (seed, round, row). Neither threads nor blocks nor other rows
// have a say.
#pragma once

#include "base/hash.hpp"

#include <cstdint>
#include <vector>

namespace ceiba {

class RowNumbers {
  public:
    RowNumbers(std::uint64_t seed, std::uint64_t round) : key_(hash64(seed, round)) {}

    // In [0, 1). Rows count in steps of an odd number, as in splitmix64: one mix a row is enough.
    double operator[](std::int64_t row) const {
        return to_unit(mix64(key_ + static_cast<std::uint64_t>(row) * 0x9E3779B97F4A7C15ULL));
    }

  private:
    std::uint64_t key_;
};

// The selected rows of n_rows, in increasing order. A sample that would be empty takes the row of
// the smallest number.
std::vector<std::int32_t> sample_rows(std::uint64_t seed, std::uint64_t round, std::int64_t n_rows,
                                      double fraction, int n_threads);

} // namespace ceiba
