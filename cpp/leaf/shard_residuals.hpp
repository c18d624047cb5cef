// The residuals of the leaves of a tree in one shard, for statistics over all shards.
//
// The life of shard residuals:
//   1. They take the residuals of the rows of each leaf.
//   2. count() counts them by the next digit of their keys, which have the order of the residuals.
//      After as many rounds as a key has digits, the quantile of every leaf is known.
//   3. For Huber's loss, center() then takes the medians, lines() returns the slope of the loss at
//      given points, and neighbors() the breakpoints on both sides of a point.
//
// Everything that is returned is added over shards, or compared (neighbors), so the number of rows
// does not show in the size of an answer.
#pragma once

#include "leaf/huber.hpp"
#include "rows/exchange.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace ceiba {

// Unsigned integers in the order of numbers, and back.
std::uint64_t ordered_key(double value);
double value_of_key(std::uint64_t key);

class ShardResiduals {
  public:
    explicit ShardResiduals(LeafResiduals&& residuals); // weighted

    std::int64_t n_nodes() const { return std::ssize(residuals_.begins) - 1; }
    // out[node * 2^n_bits + digit]: the weight of the residuals of a node whose first `n_done` bits
    // are its prefix, by their next `n_bits` bits.
    void count(std::span<const std::uint64_t> prefixes, int n_done, int n_bits,
               std::span<std::int64_t> out) const;

    void center(std::span<const double> medians, double delta);
    // Of each node at each of its points: the slope, and what it rises by.
    void lines(std::span<const std::int64_t> points, std::span<Limbs> slopes,
               std::span<std::int64_t> rises) const;
    // The last breakpoint up to the point of each node and the first one after it, or the smallest
    // and largest integer.
    void neighbors(std::span<const std::int64_t> points, std::span<std::int64_t> before,
                   std::span<std::int64_t> after) const;
    // Sums of the differences from the medians, clipped to delta.
    void clipped_sums(std::span<const double> medians, double delta, std::span<Limbs> sums) const;

  private:
    std::span<const WeightedValue> of_node(std::size_t node) const {
        return {residuals_.weighted.data() + residuals_.begins[node],
                static_cast<std::size_t>(residuals_.begins[node + 1] - residuals_.begins[node])};
    }

    LeafResiduals residuals_;
    HuberUnits units_;
    std::vector<HuberSlope> slopes_; // by node
};

} // namespace ceiba
