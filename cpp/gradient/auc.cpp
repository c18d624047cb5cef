#include "gradient/auc.hpp"

#include "base/errors.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace ceiba {

namespace {

__extension__ typedef unsigned __int128 UnsignedWide;

// A score as an integer with the same order; -0.0 equals 0.0.
std::uint64_t ordered(double score) {
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

std::size_t digit_of(std::uint64_t key, int shift) {
    return (key >> shift) & (kBuckets - 1);
}

// Radix sort by the upper 33 bits of the key, then the few that share them by comparison.
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

// Sum of the weights of all entries from `at` on that have `key`; moves past them.
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

// Every entry is written to both sides and one of them moves on: no branch to predict wrongly.
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

template <class Entry>
double area(Classes<Entry> classes) {
    auto& [ones, zeros] = classes;
    sort_by_key(ones);
    sort_by_key(zeros);
    // Each group of ones with equal scores meets all zeros below it, and equal zeros for one half.
    UnsignedWide twice = 0;
    std::uint64_t zeros_below = 0;
    std::uint64_t all_ones = 0;
    std::size_t at_one = 0;
    std::size_t at_zero = 0;
    while (at_one < ones.size()) {
        const std::uint64_t key = ones[at_one].key;
        for (; at_zero < zeros.size() && zeros[at_zero].key < key; ++at_zero)
            zeros_below += zeros[at_zero].weight;
        const std::uint64_t group = take_equal(ones, at_one, key);
        const std::uint64_t equal = take_equal(zeros, at_zero, key);
        twice +=
            static_cast<UnsignedWide>(group) * (2 * static_cast<UnsignedWide>(zeros_below) + equal);
        zeros_below += equal;
        all_ones += group;
    }
    for (; at_zero < zeros.size(); ++at_zero) zeros_below += zeros[at_zero].weight;
    if (all_ones == 0 || zeros_below == 0) return std::numeric_limits<double>::quiet_NaN();
    return static_cast<double>(twice) /
           (2.0 * static_cast<double>(static_cast<UnsignedWide>(all_ones) * zeros_below));
}

[[noreturn]] void refuse(const char* what, double given, std::int64_t row) {
    throw InputError(std::string(what) + " Got " + std::to_string(given) + " in row " +
                     std::to_string(row) + ".");
}

void check_rows(const double* target, const double* scores, const double* weights, std::int64_t n) {
    for (std::int64_t i = 0; i < n; ++i) {
        if (target[i] != 0.0 && target[i] != 1.0)
            refuse("The target of auc must be 0 or 1.", target[i], i);
        if (std::isnan(scores[i])) refuse("The scores of auc must not be NaN.", scores[i], i);
        if (weights != nullptr && !(weights[i] >= 0.0 && std::isfinite(weights[i])))
            refuse("The weights of auc must be finite and not negative.", weights[i], i);
    }
}

} // namespace

double auc(const double* target, const double* scores, const double* weights, std::int64_t n) {
    check_rows(target, scores, weights, n);
    if (weights == nullptr)
        return area(split_by_class<Unweighted>(
            target, n, [&](std::int64_t i) { return Unweighted{ordered(scores[i])}; }));

    // n · largest weight · scale < 2^62.
    const double largest = n == 0 ? 0.0 : *std::max_element(weights, weights + n);
    int weight_exponent = 0;
    std::frexp(largest, &weight_exponent);
    const int row_bits = std::bit_width(static_cast<std::uint64_t>(n));
    const double scale = std::ldexp(1.0, std::min(62 - row_bits - weight_exponent, 1023));
    return area(split_by_class<Weighted>(target, n, [&](std::int64_t i) {
        const auto weight = static_cast<std::uint64_t>(std::nearbyint(weights[i] * scale));
        return Weighted{ordered(scores[i]), weight};
    }));
}

} // namespace ceiba
