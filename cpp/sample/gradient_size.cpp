#include "sample/gradient_size.hpp"

#include "base/buffer.hpp"
#include "gradient/exact_sum.hpp"
#include "sample/collect.hpp"
#include "sample/cut.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace ceiba {

namespace {

// The order of sizes, which are not negative, is that of their bits; NaN comes last.
std::uint64_t bits_of(double size) {
    return std::bit_cast<std::uint64_t>(size);
}

// size_of(row) for every row.
template <class SizeOf>
Buffer<double> sizes_of(std::int64_t n_rows, int n_threads, SizeOf size_of) {
    Buffer<double> sizes(static_cast<std::size_t>(n_rows));
    over_rows(n_rows, n_threads, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t row = begin; row < end; ++row)
            sizes[static_cast<std::size_t>(row)] = size_of(row);
    });
    return sizes;
}

double weight_of(const RoundGradients& round, std::int64_t row) {
    return round.weights == nullptr ? 1.0 : round.weights[row];
}

// Sum of |gradient * hessian|.
double product_of(const RoundGradients& round, std::int64_t row) {
    const double weight = weight_of(round, row);
    double sum = 0;
    for (std::int64_t t = 0; t < round.n_trees; ++t) {
        const std::int64_t at = t * round.n_rows + row;
        const double h = round.hessians != nullptr ? round.hessians[at] : round.constant_hessian;
        sum += std::abs(round.gradients[at] * weight * (h * weight));
    }
    return sum;
}

double norm_of(const RoundGradients& round, double penalty, std::int64_t row) {
    const double weight = weight_of(round, row);
    double sum = penalty;
    for (std::int64_t t = 0; t < round.n_trees; ++t) {
        const double g = round.gradients[t * round.n_rows + row] * weight;
        sum += g * g;
    }
    return std::sqrt(sum);
}

// Sizes that share their exponent and the first bits after the point. The rest of their bits is
// summed as integers of 32 bits, with an error of at most 2^-31 of each size.
struct Bucket {
    std::int64_t count = 0;
    std::uint64_t sum = 0;

    void add(std::uint64_t bits) {
        constexpr std::uint64_t kMantissa = (std::uint64_t{1} << 52) - 1;
        ++count;
        // Sizes below 2^-1022 are as good as 0.
        if (bits > kMantissa) sum += ((bits & kMantissa) | (kMantissa + 1)) >> 21;
    }
};

// Buckets are counted by kFirstBits bits (exponent and 4 more), those of one bucket by kNextBits.
constexpr int kFirstBits = 16, kNextBits = 10;

// Where the threshold is looked for: sizes of smaller buckets, and how many others there are.
struct Search {
    double n_expected, below = 0, above;

    // With `above` sizes of at least t and `below` the sum of the others, below / t + above rows are
    // expected: the fewer, the larger t.
    double threshold() const { return above < n_expected ? below / (n_expected - above) : 0; }

    // Goes on to the first bucket whose end is no smaller than the threshold, and returns its number;
    // that after the last one if there is none. `first`: the bits of the smallest size of the first
    // bucket, of which each has 2^shift.
    std::size_t skip(std::span<const Bucket> buckets, std::uint64_t first, int shift) {
        for (std::size_t b = 0; b < buckets.size(); ++b) {
            const Bucket& bucket = buckets[b];
            if (bucket.count == 0) continue;
            const std::uint64_t bits = first + (static_cast<std::uint64_t>(b) << shift);
            const double end = std::bit_cast<double>(bits + (std::uint64_t{1} << shift));
            const double with = below + std::ldexp(static_cast<double>(bucket.sum),
                                                   static_cast<int>(bits >> 52) - 1023 - 31);
            const double left = above - static_cast<double>(bucket.count);
            if (with / end + left <= n_expected) return b;
            below = with;
            above = left;
        }
        return buckets.size();
    }
};

// The bits of the sizes of a bucket, in the order of rows.
std::vector<std::uint64_t> sizes_inside(std::span<const double> sizes, std::uint64_t bucket,
                                        int n_threads) {
    std::vector<std::uint64_t> all;
    for (const auto& part :
         parts_of_rows(std::ssize(sizes), n_threads, [&](std::int64_t begin, std::int64_t end) {
             std::vector<std::uint64_t> own;
             for (std::int64_t row = begin; row < end; ++row) {
                 const std::uint64_t bits = bits_of(sizes[static_cast<std::size_t>(row)]);
                 if (bits >> (64 - kFirstBits) == bucket) own.push_back(bits);
             }
             return own;
         }))
        all.insert(all.end(), part.begin(), part.end());
    return all;
}

std::vector<Bucket> first_buckets(std::span<const double> sizes, int n_threads) {
    constexpr std::size_t kBuckets = std::size_t{1} << (kFirstBits - 1); // the sign is 0
    std::vector<std::vector<Bucket>> parts(static_cast<std::size_t>(std::max(1, n_threads)));
    const int n_parts = over_parts(
        std::ssize(sizes), n_threads, [&](int part, std::int64_t begin, std::int64_t end) {
            auto& own = parts[static_cast<std::size_t>(part)];
            own.resize(kBuckets);
            for (std::int64_t row = begin; row < end; ++row) {
                const std::uint64_t bits = bits_of(sizes[static_cast<std::size_t>(row)]);
                own[static_cast<std::size_t>(bits >> (64 - kFirstBits))].add(bits);
            }
        });
    for (int p = 1; p < n_parts; ++p)
        for (std::size_t b = 0; b < kBuckets; ++b) {
            parts[0][b].count += parts[static_cast<std::size_t>(p)][b].count;
            parts[0][b].sum += parts[static_cast<std::size_t>(p)][b].sum;
        }
    return std::move(parts[0]);
}

} // namespace

// The bucket in which the threshold lies comes first, then one inside of it, then the sizes in that,
// one by one.
double mvs_threshold(std::span<const double> sizes, double n_expected, int n_threads) {
    constexpr int kFirstShift = 64 - kFirstBits, kNextShift = kFirstShift - kNextBits;
    Search search{n_expected, 0, static_cast<double>(sizes.size())};
    const std::vector<Bucket> firsts = first_buckets(sizes, n_threads);
    const std::uint64_t first = search.skip(firsts, 0, kFirstShift);
    if (first == firsts.size()) return search.threshold();
    std::vector<std::uint64_t> inside = sizes_inside(sizes, first, n_threads);
    const std::uint64_t begin = first << kFirstShift;
    std::vector<Bucket> nexts(std::size_t{1} << kNextBits);
    for (const std::uint64_t bits : inside)
        nexts[static_cast<std::size_t>((bits - begin) >> kNextShift)].add(bits);
    const std::uint64_t next = search.skip(nexts, begin, kNextShift);
    std::erase_if(inside, [&](std::uint64_t bits) { return (bits - begin) >> kNextShift != next; });
    std::sort(inside.begin(), inside.end());
    for (const std::uint64_t bits : inside) {
        const double size = std::bit_cast<double>(bits);
        if (search.above < n_expected && search.threshold() <= size) break;
        search.below += size;
        search.above -= 1;
    }
    return search.threshold();
}

SampledRows goss_rows(const RowKey& key, const RoundGradients& round, std::int64_t n_top,
                      double n_other, int n_threads) {
    const Buffer<double> sizes =
        sizes_of(round.n_rows, n_threads, [&](std::int64_t row) { return product_of(round, row); });
    const auto key_of = [&](std::int64_t row) {
        return ~bits_of(sizes[static_cast<std::size_t>(row)]);
    };
    Cut cut;
    if (n_top > 0) cut = find_cut<16>(round.n_rows, n_top, n_threads, key_of);
    const double chance = n_other / static_cast<double>(round.n_rows - n_top), louder = 1 / chance;
    const RowNumbers numbers(key);
    SampledRows sample = collect_multiplied(round.n_rows, n_threads, [&](std::int64_t row) {
        const double other = numbers[row] < chance ? louder : 0.0;
        return cut.takes(key_of(row), row) ? 1.0 : other;
    });
    if (sample.rows.empty())
        sample = {bernoulli_rows(key, {round.n_rows, nullptr}, chance, n_threads), {louder}};
    return sample;
}

SampledRows mvs_rows(const RowKey& key, const RoundGradients& round, double penalty,
                     double n_expected, int n_threads) {
    const Buffer<double> sizes = sizes_of(
        round.n_rows, n_threads, [&](std::int64_t row) { return norm_of(round, penalty, row); });
    const std::span<const double> all(sizes.data(), static_cast<std::size_t>(round.n_rows));
    std::uint64_t largest = 0;
    for (const std::uint64_t part :
         parts_of_rows(round.n_rows, n_threads, [&](std::int64_t begin, std::int64_t end) {
             std::uint64_t top = 0;
             for (std::int64_t row = begin; row < end; ++row)
                 top = std::max(top, bits_of(all[static_cast<std::size_t>(row)]));
             return top;
         }))
        largest = std::max(largest, part);
    if (largest == 0 || largest >= bits_of(std::numeric_limits<double>::infinity())) return {};
    const double threshold = mvs_threshold(all, n_expected, n_threads);
    const RowNumbers numbers(key);
    SampledRows sample = collect_multiplied(round.n_rows, n_threads, [&](std::int64_t row) {
        const double size = all[static_cast<std::size_t>(row)];
        if (size >= threshold) return size > 0 ? 1.0 : 0.0;
        return numbers[row] * threshold < size ? threshold / size : 0.0;
    });
    if (sample.rows.empty()) { // the first of the largest
        const auto row = std::find_if(all.begin(), all.end(),
                                      [&](double size) { return bits_of(size) == largest; }) -
                         all.begin();
        sample = {{static_cast<std::int32_t>(row)}, {threshold / std::bit_cast<double>(largest)}};
    }
    return sample;
}

double mean_size(const RoundGradients& round, int n_threads) {
    const Buffer<double> sizes =
        sizes_of(round.n_rows, n_threads, [&](std::int64_t row) { return norm_of(round, 0, row); });
    return exact_sum(sizes.data(), nullptr, round.n_rows) / static_cast<double>(round.n_rows);
}

} // namespace ceiba
