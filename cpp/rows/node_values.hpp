// The sorted values of one column in one node, with their rows.
#pragma once

#include "data/binning/candidates.hpp"
#include "data/coded/ranked.hpp"
#include "rows/row_weights.hpp"
#include "rows/shard.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace ceiba {

class NodeValues {
  public:
    // Read the node's rows from all shards and sort them by rank, with a radix sort if there are
    // many.
    void read(std::span<const Shard> shards, int node, const RankedColumns& ranked, int feature);

    std::span<const std::int32_t> missing() const { return missing_; }
    std::size_t n_present() const { return keys_.size(); }
    // Ranks do not decrease.
    std::uint32_t rank(std::size_t i) const { return static_cast<std::uint32_t>(keys_[i] >> 32); }
    std::int32_t row(std::size_t i) const { return static_cast<std::int32_t>(keys_[i]); }

    // The next larger rank of a row; there must be one.
    std::uint32_t rank_above(std::uint32_t rank) const;

    // Distinct values with the total weight of their rows; returns the weight of all rows.
    std::uint64_t weigh(const RowWeights& weights, std::vector<RankWeight>& values) const;

  private:
    void sort(std::uint32_t n_values);

    std::vector<std::uint64_t> keys_, other_; // rank and row
    std::vector<std::int32_t> missing_;
};

} // namespace ceiba
