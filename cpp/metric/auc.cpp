#include "metric/auc.hpp"

#include "base/wide_integer.hpp"
#include "ranking/ranked_rows.hpp"

#include <limits>

namespace ceiba {

namespace {

template <class Entry>
double area(Classes<Entry> classes) {
    auto& [ones, zeros] = classes;
    sort_by_key(ones);
    sort_by_key(zeros);
    // Each group of ones with equal scores counts all zeros below it, and zeros of equal score by
    // half.
    WideUint twice = 0;
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
        twice += static_cast<WideUint>(group) * (2 * static_cast<WideUint>(zeros_below) + equal);
        zeros_below += equal;
        all_ones += group;
    }
    for (; at_zero < zeros.size(); ++at_zero) zeros_below += zeros[at_zero].weight;
    if (all_ones == 0 || zeros_below == 0) return std::numeric_limits<double>::quiet_NaN();
    return static_cast<double>(twice) /
           (2.0 * static_cast<double>(static_cast<WideUint>(all_ones) * zeros_below));
}

} // namespace

double auc(const double* target, const double* scores, const double* weights, std::int64_t n) {
    return of_ranked_rows("auc", target, scores, weights, n,
                          [](auto classes) { return area(std::move(classes)); });
}

} // namespace ceiba
