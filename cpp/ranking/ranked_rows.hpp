// Rows of two classes sorted by score, for ranking metrics.
//
// Scores are mapped to integers of the same order. Weights become integers too (multiples of a
// power of two such that their sum fits in 62 bits), so that no metric depends on the row order.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace ceiba {

// A score as an integer of the same order; -0.0 equals 0.0.
inline std::uint64_t ordered(double score) {
    const auto bits = std::bit_cast<std::uint64_t>(score + 0.0);
    constexpr std::uint64_t sign = std::uint64_t(1) << 63;
    return (bits & sign) != 0 ? ~bits : bits | sign;
}

struct Unweighted {
    std::uint64_t key;
    static constexpr std::uint64_t weight = 1;
};

struct Weighted {
    std::uint64_t key;
    std::uint64_t weight;
};

constexpr int kDigitBits = 11;
constexpr std::array<int, 3> kDigitShifts = {31, 42, 53};
constexpr std::size_t kBuckets = std::size_t(1) << kDigitBits;

inline std::size_t digit_of(std::uint64_t key, int shift) {
    return (key >> shift) & (kBuckets - 1);
}

// Radix sort by the upper 33 bits of the key, then a comparison sort of entries that share them.
template <class Entry>
void sort_by_key(std::vector<Entry>& entries) {
    const auto smaller = [](const Entry& a, const Entry& b) { return a.key < b.key; };
    if (entries.size() < 2 * kBuckets) {
        std::sort(entries.begin(), entries.end(), smaller);
        return;
    }
    std::vector<std::array<std::size_t, kBuckets>> counts(kDigitShifts.size());
    for (const Entry& entry : entries)
        for (std::size_t digit = 0; digit < counts.size(); ++digit)
            ++counts[digit][digit_of(entry.key, kDigitShifts[digit])];

    std::vector<Entry> sorted(entries.size());
    for (std::size_t digit = 0; digit < counts.size(); ++digit) {
        const int shift = kDigitShifts[digit];
        auto& next = counts[digit];
        if (next[digit_of(entries.front().key, shift)] == entries.size()) continue;
        std::size_t begin = 0;
        for (std::size_t& count : next) begin += std::exchange(count, begin);
        for (const Entry& entry : entries) sorted[next[digit_of(entry.key, shift)]++] = entry;
        entries.swap(sorted);
    }
    const auto upper = [](const Entry& entry) { return entry.key >> kDigitShifts[0]; };
    for (auto first = entries.begin(); first != entries.end();) {
        auto last = first + 1;
        while (last != entries.end() && upper(*last) == upper(*first)) ++last;
        if (last - first > 1) std::sort(first, last, smaller);
        first = last;
    }
}

// Sum of the weights of the entries with `key` starting at `at`; moves `at` past them.
template <class Entry>
std::uint64_t take_equal(const std::vector<Entry>& entries, std::size_t& at, std::uint64_t key) {
    std::uint64_t sum = 0;
    for (; at < entries.size() && entries[at].key == key; ++at) sum += entries[at].weight;
    return sum;
}

template <class Entry>
struct Classes {
    std::vector<Entry> ones;
    std::vector<Entry> zeros;
};

// Branchless partition: every entry is written to both sides and one of them advances.
template <class Entry, class F>
Classes<Entry> split_by_class(const double* target, std::int64_t n, F&& entry_of) {
    const auto n_ones = static_cast<std::size_t>(std::count(target, target + n, 1.0));
    const std::size_t n_zeros = static_cast<std::size_t>(n) - n_ones;
    Classes<Entry> classes{std::vector<Entry>(n_ones + 1), std::vector<Entry>(n_zeros + 1)};
    std::size_t one = 0;
    std::size_t zero = 0;
    for (std::int64_t i = 0; i < n; ++i) {
        const Entry entry = entry_of(i);
        const std::size_t is_one = target[i] == 1.0 ? 1 : 0;
        classes.ones[one] = entry;
        classes.zeros[zero] = entry;
        one += is_one;
        zero += 1 - is_one;
    }
    classes.ones.pop_back();
    classes.zeros.pop_back();
    return classes;
}

// Throw InputError for a target other than 0 and 1, a NaN score, or a negative or infinite weight.
void check_ranked_rows(const char* metric, const double* target, const double* scores,
                       const double* weights, std::int64_t n);

// Power of two that scales the weights to integers.
double weight_scale(const double* weights, std::int64_t n);

// measure(classes) of the rows. Entries have weight 1 if no weights are given.
template <class Measure>
double of_ranked_rows(const char* metric, const double* target, const double* scores,
                      const double* weights, std::int64_t n, Measure measure) {
    check_ranked_rows(metric, target, scores, weights, n);
    if (weights == nullptr)
        return measure(split_by_class<Unweighted>(
            target, n, [&](std::int64_t i) { return Unweighted{ordered(scores[i])}; }));
    const double scale = weight_scale(weights, n);
    return measure(split_by_class<Weighted>(target, n, [&](std::int64_t i) {
        const auto weight = static_cast<std::uint64_t>(std::nearbyint(weights[i] * scale));
        return Weighted{ordered(scores[i]), weight};
    }));
}

} // namespace ceiba
