#include "data/binning/candidates.hpp"

#include <algorithm>
#include <bit>

namespace ceiba {

namespace {

constexpr std::uint32_t kMostBuckets = 2048; // 16 kB of sums: half of an L1 cache

} // namespace

std::uint64_t cut_weight(std::uint64_t total, int k, int n) {
    const auto parts = static_cast<std::uint64_t>(n), part = static_cast<std::uint64_t>(k);
    // total * k / n without overflowing 64 bits.
    return std::max<std::uint64_t>(1, total / parts * part + total % parts * part / parts);
}

void find_cuts(std::span<const RankWeight> values, int most_bins, Cuts& cuts) {
    cuts.clear();
    if (values.empty()) return;
    if (values.size() <= static_cast<std::size_t>(most_bins)) {
        for (const RankWeight& value : values.first(values.size() - 1)) cuts.push_back(value.rank);
        return;
    }
    std::uint64_t total = 0, reached = 0;
    for (const RankWeight& value : values) total += value.weight;
    if (total == 0) return;
    int k = 1;
    for (const RankWeight& value : values.first(values.size() - 1)) {
        reached += value.weight;
        if (k == most_bins || reached < cut_weight(total, k, most_bins)) continue;
        cuts.push_back(value.rank);
        while (k < most_bins && cut_weight(total, k, most_bins) <= reached) ++k;
    }
}

bool find_cuts(const RankedColumns& ranked, int feature, const std::uint64_t* weights,
               int most_bins, Cuts& cuts) {
    const auto n_values = static_cast<std::uint32_t>(ranked.values(feature).size());
    cuts.clear();
    if (n_values <= static_cast<std::uint32_t>(most_bins)) {
        for (std::uint32_t rank = 0; rank + 1 < n_values; ++rank) cuts.push_back(rank);
        return true;
    }
    const int shift = std::max(0, static_cast<int>(std::bit_width(n_values - 1)) -
                                      static_cast<int>(std::bit_width(kMostBuckets - 1)));
    const std::uint32_t n_buckets = ((n_values - 1) >> shift) + 1;
    std::uint64_t sums[kMostBuckets + 1] = {}; // the last one is for missing values
    const std::uint32_t* ranks = ranked.ranks(feature);
    for (std::int64_t row = 0; row < ranked.n_rows(); ++row)
        sums[std::min(ranks[row] >> shift, n_buckets)] += weights[row];
    std::uint64_t total = 0;
    for (std::uint32_t b = 0; b < n_buckets; ++b) total += sums[b];
    if (total == 0) return false;

    const auto order = ranked.order(feature), starts = ranked.starts(feature);
    std::uint64_t reached = 0; // weight of the values before `rank`
    std::uint32_t rank = 0;
    int k = 1;
    std::uint64_t wanted = cut_weight(total, k, most_bins);
    for (std::uint32_t b = 0; b < n_buckets; ++b) {
        const std::uint64_t bucket_end = reached + sums[b];
        const std::uint32_t last = std::min(n_values, (b + 1) << shift) - 1;
        rank = b << shift;
        while (k < most_bins && wanted <= bucket_end) {
            // The cut is in this bucket. Its last value needs no sum.
            do {
                if (rank == last) {
                    reached = bucket_end;
                } else {
                    for (auto i = starts[rank]; i < starts[rank + 1]; ++i)
                        reached += weights[order[static_cast<std::size_t>(i)]];
                }
                ++rank;
            } while (reached < wanted);
            if (rank < n_values) cuts.push_back(rank - 1);
            while (k < most_bins && (wanted = cut_weight(total, k, most_bins)) <= reached) ++k;
        }
        reached = bucket_end;
    }
    return true;
}

} // namespace ceiba
