#include "rows/node_values.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

namespace ceiba {

void NodeValues::read(std::span<const Shard> shards, int node, const RankedColumns& ranked,
                      int feature) {
    keys_.clear();
    missing_.clear();
    const std::uint32_t* ranks = ranked.ranks(feature);
    auto take = [&](std::int64_t row) {
        const std::uint64_t rank = ranks[row];
        if (rank == RankedColumns::kMissing)
            missing_.push_back(static_cast<std::int32_t>(row));
        else
            keys_.push_back(rank << 32 | static_cast<std::uint64_t>(row));
    };
    for (const Shard& shard : shards) {
        const RowRange range = shard.rows_of(node);
        for (std::int64_t i = range.begin; i < range.end; ++i)
            take(range.rows == nullptr ? i : range.rows[i]);
    }
    sort(static_cast<std::uint32_t>(ranked.values(feature).size()));
}

void NodeValues::sort(std::uint32_t n_values) {
    constexpr int kBits = 8;
    constexpr std::size_t kBuckets = std::size_t{1} << kBits, kFew = 256;
    if (keys_.size() < kFew) {
        std::sort(keys_.begin(), keys_.end());
        return;
    }
    // Rows come in increasing order, and every pass is stable.
    other_.resize(keys_.size());
    const int bits = std::bit_width(n_values);
    for (int shift = 32; shift < 32 + bits; shift += kBits) {
        std::array<std::size_t, kBuckets> place{};
        for (const std::uint64_t key : keys_) ++place[(key >> shift) & (kBuckets - 1)];
        std::size_t at = 0;
        for (std::size_t& begin : place) at += std::exchange(begin, at);
        for (const std::uint64_t key : keys_)
            other_[place[(key >> shift) & (kBuckets - 1)]++] = key;
        keys_.swap(other_);
    }
}

std::uint32_t NodeValues::rank_above(std::uint32_t rank) const {
    const std::uint64_t least = (std::uint64_t{rank} + 1) << 32;
    return static_cast<std::uint32_t>(*std::lower_bound(keys_.begin(), keys_.end(), least) >> 32);
}

std::uint64_t NodeValues::weigh(const RowWeights& weights, std::vector<RankWeight>& values) const {
    values.clear();
    std::uint64_t total = 0;
    for (std::size_t i = 0; i < keys_.size(); ++i) {
        if (values.empty() || values.back().rank != rank(i)) values.push_back({rank(i), 0});
        const std::uint64_t weight = weights[row(i)];
        values.back().weight += weight;
        total += weight;
    }
    return total;
}

} // namespace ceiba
