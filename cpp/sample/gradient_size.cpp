#include "sample/gradient_size.hpp"

#include "gradient/exact_sum.hpp"
#include "parallel/rows.hpp"
#include "sample/collect.hpp"
#include "sample/cut.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <limits>
#include <utility>

namespace ceiba {

namespace {

// Nonnegative doubles have the order of their bits; NaN comes last.
std::uint64_t bits_of(double size) {
    return std::bit_cast<std::uint64_t>(size);
}

double weight_of(const RoundGradients& round, std::int64_t row) {
    return round.weights == nullptr ? 1.0 : round.weights[row];
}

// Sum of |gradient * hessian| of the rows begin .. begin + n.
void add_products(const RoundGradients& round, std::int64_t begin, std::int64_t n, double* sizes) {
    std::fill(sizes, sizes + n, 0.0);
    for (std::int64_t t = 0; t < round.n_trees; ++t) {
        const double* g = round.gradients + t * round.n_rows + begin;
        const double* h =
            round.hessians != nullptr ? round.hessians + t * round.n_rows + begin : nullptr;
        if (round.weights == nullptr && h != nullptr) {
            for (std::int64_t i = 0; i < n; ++i) sizes[i] += std::abs(g[i] * h[i]);
            continue;
        }
        for (std::int64_t i = 0; i < n; ++i) {
            const double weight = weight_of(round, begin + i);
            const double hessian = h != nullptr ? h[i] : round.constant_hessian;
            sizes[i] += std::abs(g[i] * weight * (hessian * weight));
        }
    }
}

double product_of(const RoundGradients& round, std::int64_t row) {
    double size = 0;
    add_products(round, row, 1, &size);
    return size;
}

std::uint32_t half_of(double size) {
    return static_cast<std::uint32_t>(bits_of(size) >> 32);
}

// Estimated range of the upper 32 bits that contains the k-th largest size, from some of the rows.
struct Bracket {
    std::uint32_t low = 0, high = std::numeric_limits<std::uint32_t>::max();
};

Bracket bracket_of(const RoundGradients& round, std::int64_t k) {
    constexpr std::int64_t kRows = 16384;
    const std::int64_t step = round.n_rows / kRows + 1, n = (round.n_rows + step - 1) / step;
    std::vector<std::uint32_t> some;
    for (std::int64_t row = 0; row < round.n_rows; row += step)
        some.push_back(half_of(product_of(round, row)));
    const double share = static_cast<double>(k) / static_cast<double>(round.n_rows);
    const auto count = static_cast<double>(n);
    const auto spare = static_cast<std::int64_t>(3 * std::sqrt(count * share * (1 - share))) + 2;
    const auto middle = static_cast<std::int64_t>(count * share);
    const auto select = [&](std::int64_t place) {
        std::nth_element(some.begin(), some.begin() + place, some.end(), std::greater<>());
        return some[static_cast<std::size_t>(place)];
    };
    Bracket bracket;
    if (middle - spare >= 0) bracket.high = select(middle - spare);
    if (middle + spare < n) bracket.low = select(middle + spare);
    return bracket;
}

// Counts of a chunk: rows above the bracket, and the rows in it.
struct Bracketed {
    std::int64_t n_above = 0;
    std::vector<std::int32_t> inside;
};

Bracketed look_into(const RoundGradients& round, const Bracket& bracket, std::int64_t begin,
                    std::int64_t end, std::uint32_t* halves) {
    constexpr std::int64_t kRows = 512;
    double sizes[kRows];
    std::int32_t found[kRows + 1];
    const std::uint32_t width = bracket.high - bracket.low;
    Bracketed out;
    for (std::int64_t from = begin; from < end; from += kRows) {
        const std::int64_t n = std::min(kRows, end - from);
        add_products(round, from, n, sizes);
        std::uint32_t* own = halves + from;
        for (std::int64_t i = 0; i < n; ++i) own[i] = half_of(sizes[i]);
        std::int32_t n_above = 0;
        for (std::int64_t i = 0; i < n; ++i) n_above += own[i] > bracket.high;
        out.n_above += n_above;
        std::size_t n_found = 0;
        for (std::int64_t i = 0; i < n; ++i) { // without branches that depend on a row
            found[n_found] = static_cast<std::int32_t>(from + i);
            n_found += own[i] - bracket.low <= width;
        }
        out.inside.insert(out.inside.end(), found, found + n_found);
    }
    return out;
}

// Write the upper half of every size and return the cut that takes the n_top largest. It is in the
// bracket if the estimate was right; otherwise all rows are searched.
Cut cut_largest(const RoundGradients& round, std::int64_t n_top, int n_threads,
                std::uint32_t* halves) {
    const Bracket bracket = n_top > 0 ? bracket_of(round, n_top) : Bracket{1, 0};
    const auto key_of = [&](std::int64_t row) { return ~bits_of(product_of(round, row)); };
    std::int64_t left = n_top;
    std::vector<std::pair<std::uint64_t, std::int64_t>> inside;
    for (const Bracketed& part :
         parts_of_rows(round.n_rows, n_threads, [&](std::int64_t begin, std::int64_t end) {
             return look_into(round, bracket, begin, end, halves);
         })) {
        left -= part.n_above;
        if (n_top > 0)
            for (const std::int32_t row : part.inside) inside.emplace_back(key_of(row), row);
    }
    if (n_top == 0) return {};
    if (left < 1 || left > std::ssize(inside))
        return find_cut<16>(
            round.n_rows, n_top, n_threads, [&](std::int64_t row) { return ~halves[row] >> 16; },
            key_of);
    const auto last = inside.begin() + static_cast<std::ptrdiff_t>(left - 1);
    std::nth_element(inside.begin(), last, inside.end());
    return {last->first, last->second};
}

// sqrt(sum of gradient^2 + penalty) of every row.
std::span<const double> norms_of(const RoundGradients& round, double penalty, int n_threads,
                                 SampleRoom& room) {
    room.sizes.need(static_cast<std::size_t>(round.n_rows));
    double* sizes = room.sizes.data();
    over_rows(round.n_rows, n_threads, [&](std::int64_t begin, std::int64_t end) {
        std::fill(sizes + begin, sizes + end, penalty);
        for (std::int64_t t = 0; t < round.n_trees; ++t) {
            const double* gradients = round.gradients + t * round.n_rows;
            for (std::int64_t row = begin; row < end; ++row) {
                const double g = gradients[row] * weight_of(round, row);
                sizes[row] += g * g;
            }
        }
        for (std::int64_t row = begin; row < end; ++row) sizes[row] = std::sqrt(sizes[row]);
    });
    return {sizes, static_cast<std::size_t>(round.n_rows)};
}

// Sizes that share their exponent and first mantissa bits. The remaining bits are summed as 32-bit
// integers, with an error of at most 2^-31 of each size.
struct Bucket {
    std::int64_t count = 0;
    std::uint64_t sum = 0;

    void add(std::uint64_t bits) {
        constexpr std::uint64_t kMantissa = (std::uint64_t{1} << 52) - 1;
        ++count;
        // Sizes below 2^-1022 count as 0.
        if (bits > kMantissa) sum += ((bits & kMantissa) | (kMantissa + 1)) >> 21;
    }
};

// Buckets hold kFirstBits bits (exponent and 4 more); buckets within one hold kNextBits.
constexpr int kFirstBits = 16, kNextBits = 10;

// State of the threshold search: the sum of the sizes in smaller buckets, and the number of the
// others.
struct Search {
    double n_expected, below = 0, above;

    // With `above` sizes of at least t and `below` the sum of the others, below / t + above rows
    // are expected, which decreases as t grows.
    double threshold() const { return above < n_expected ? below / (n_expected - above) : 0; }

    // Advance to the first bucket whose end is not smaller than the threshold and return its
    // number, or the number of buckets if there is none. `first`: the bits of the smallest size of
    // the first bucket; each bucket spans 2^shift.
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

// The bits of the sizes in a bucket, in row order.
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

// Find the bucket that contains the threshold, then the bucket within it, then search its sizes.
double threshold_of(std::span<const double> sizes, std::span<const Bucket> firsts,
                    double n_expected, int n_threads) {
    constexpr int kFirstShift = 64 - kFirstBits, kNextShift = kFirstShift - kNextBits;
    Search search{n_expected, 0, static_cast<double>(sizes.size())};
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

} // namespace

SampledRows goss_rows(const RowKey& key, const RoundGradients& round, std::int64_t n_top,
                      double n_other, int n_threads, SampleRoom& room) {
    // The upper half of a size is almost always enough to compare.
    room.halves.need(static_cast<std::size_t>(round.n_rows));
    std::uint32_t* halves = room.halves.data();
    const Cut cut = cut_largest(round, n_top, n_threads, halves);
    const auto edge = static_cast<std::uint32_t>(~cut.key >> 32);
    const auto is_at_edge = [&](std::int64_t row) {
        return halves[row] == edge && cut.takes(~bits_of(product_of(round, row)), row);
    };
    const double chance = n_other / static_cast<double>(round.n_rows - n_top), louder = 1 / chance;
    const RowNumbers numbers(key);
    const std::uint64_t limit = RowNumbers::limit_of(chance);
    SampledRows sample = collect_multiplied(
        round.n_rows, n_threads,
        [&](std::int64_t row) {
            bool taken = (halves[row] > edge) | numbers.is_below(row, limit);
            if (halves[row] == edge) [[unlikely]]
                taken = taken || is_at_edge(row);
            return taken;
        },
        [&](std::int64_t row) {
            double multiplier = halves[row] > edge ? 1.0 : louder;
            if (halves[row] == edge) [[unlikely]]
                multiplier = is_at_edge(row) ? 1.0 : louder;
            return multiplier;
        });
    if (sample.rows.empty())
        sample = {bernoulli_rows(key, {round.n_rows, nullptr}, chance, n_threads), {louder}};
    return sample;
}

SampledRows mvs_rows(const RowKey& key, const RoundGradients& round, double penalty,
                     double n_expected, int n_threads, SampleRoom& room) {
    const std::span<const double> all = norms_of(round, penalty, n_threads, room);
    const std::vector<Bucket> firsts = first_buckets(all, n_threads);
    constexpr std::uint64_t kInfinite = 0x7FF0000000000000ULL >> (64 - kFirstBits);
    const auto is_empty = [](const Bucket& bucket) { return bucket.count == 0; };
    if (!std::all_of(firsts.begin() + kInfinite, firsts.end(), is_empty) ||
        std::all_of(all.begin(), all.end(), [](double size) { return size == 0; }))
        return {};
    const double threshold = threshold_of(all, firsts, n_expected, n_threads);
    const RowNumbers numbers(key);
    const auto size_of = [&](std::int64_t row) { return all[static_cast<std::size_t>(row)]; };
    SampledRows sample = collect_multiplied(
        round.n_rows, n_threads,
        [&](std::int64_t row) {
            const double size = size_of(row);
            return ((size >= threshold) & (size > 0)) | (numbers[row] * threshold < size);
        },
        [&](std::int64_t row) {
            return size_of(row) >= threshold ? 1.0 : threshold / size_of(row);
        });
    if (sample.rows.empty()) { // the first of the largest rows
        const auto row = std::max_element(all.begin(), all.end()) - all.begin();
        sample = {{static_cast<std::int32_t>(row)}, {threshold / size_of(row)}};
    }
    return sample;
}

std::vector<double> goss_sizes(const RoundGradients& round, int n_threads) {
    std::vector<double> sizes(static_cast<std::size_t>(round.n_rows));
    over_rows(round.n_rows, n_threads, [&](std::int64_t begin, std::int64_t end) {
        add_products(round, begin, end - begin, sizes.data() + begin);
    });
    return sizes;
}

std::span<const double> mvs_sizes(const RoundGradients& round, double penalty, int n_threads,
                                  SampleRoom& room) {
    return norms_of(round, penalty, n_threads, room);
}

double mvs_threshold(std::span<const double> sizes, double n_expected, int n_threads) {
    return threshold_of(sizes, first_buckets(sizes, n_threads), n_expected, n_threads);
}

double mean_size(const RoundGradients& round, int n_threads, SampleRoom& room) {
    const std::span<const double> sizes = norms_of(round, 0, n_threads, room);
    return exact_sum(sizes.data(), nullptr, round.n_rows) / static_cast<double>(round.n_rows);
}

} // namespace ceiba
