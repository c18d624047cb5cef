#include "metric/average_precision.hpp"

#include "ranking/ranked_rows.hpp"

#include <limits>

namespace ceiba {

namespace {

// Remove the entries with `key` from the end and return the sum of their weights.
template <class Entry>
std::uint64_t take_last(const std::vector<Entry>& entries, std::size_t& end, std::uint64_t key) {
    std::uint64_t sum = 0;
    for (; end > 0 && entries[end - 1].key == key; --end) sum += entries[end - 1].weight;
    return sum;
}

template <class Entry>
double mean_precision(Classes<Entry> classes) {
    auto& [ones, zeros] = classes;
    sort_by_key(ones);
    sort_by_key(zeros);
    std::uint64_t found = 0, taken = 0;
    double sum = 0;
    std::size_t at_one = ones.size(), at_zero = zeros.size();
    // Zeros below the last row of class 1 do not matter.
    while (at_one > 0) {
        const std::uint64_t key = ones[at_one - 1].key;
        for (; at_zero > 0 && zeros[at_zero - 1].key > key; --at_zero)
            taken += zeros[at_zero - 1].weight;
        const std::uint64_t group = take_last(ones, at_one, key);
        found += group;
        taken += group + take_last(zeros, at_zero, key);
        if (group > 0)
            sum += static_cast<double>(group) *
                   (static_cast<double>(found) / static_cast<double>(taken));
    }
    if (found == 0) return std::numeric_limits<double>::quiet_NaN();
    return sum / static_cast<double>(found);
}

} // namespace

double average_precision(const double* target, const double* scores, const double* weights,
                         std::int64_t n) {
    return of_ranked_rows("average_precision", target, scores, weights, n,
                          [](auto classes) { return mean_precision(std::move(classes)); });
}

} // namespace ceiba
