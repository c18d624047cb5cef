#include "data/binning/bin_values.hpp"

#include "parallel/pool.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

namespace ceiba {

namespace {

constexpr std::int64_t kTile = SortedSearch::most_at_once;
constexpr double kLargest = std::numeric_limits<double>::max();

// Scale such that n numbers up to `largest`, multiplied by it, can be added in 62 bits.
double scale_for(double largest, double n) {
    int of_largest = 0, of_n = 0;
    std::frexp(largest, &of_largest);
    std::frexp(n, &of_n);
    return std::ldexp(1.0, std::clamp(62 - of_n - of_largest, -1000, 1000));
}

struct Weights {
    const double* of_row = nullptr;
    bool whole = true;
    double sum = 0, scale = 1; // scale: of non-integer weights

    Weights(const double* given, std::int64_t n) : of_row(given), sum(static_cast<double>(n)) {
        if (given == nullptr) return;
        double largest = 0;
        std::int64_t counted = 0;
        for (std::int64_t i = 0; i < n; ++i) {
            largest = std::max(largest, given[i]);
            if (given[i] != std::floor(given[i]) || given[i] > 0x1p30) whole = false;
            if (whole) counted += static_cast<std::int64_t>(given[i]);
        }
        if (whole)
            sum = static_cast<double>(counted);
        else
            scale = scale_for(largest, sum);
    }
    // Value times weight, and weight, as integers.
    std::int64_t rounded(double scaled, std::int64_t row) const {
        if (of_row == nullptr) return std::llrint(scaled);
        return whole ? std::llrint(scaled) * static_cast<std::int64_t>(of_row[row])
                     : std::llrint(scaled * of_row[row]);
    }
    std::int64_t weight(std::int64_t row) const {
        if (of_row == nullptr) return 1;
        return whole ? static_cast<std::int64_t>(of_row[row]) : std::llrint(of_row[row] * scale);
    }
};

template <class Work>
void each_tile(const Column& column, Work&& work) {
    std::vector<double> values(static_cast<std::size_t>(kTile));
    for (std::int64_t begin = 0; begin < column.n_rows(); begin += kTile) {
        const std::int64_t n = std::min(kTile, column.n_rows() - begin);
        column.read(begin, n, values.data());
        work(begin, n, values.data());
    }
}

double largest_finite(const Column& column) {
    double largest = 0;
    each_tile(column, [&](std::int64_t, std::int64_t n, const double* values) {
        for (std::int64_t i = 0; i < n; ++i) {
            const double size = std::fabs(values[i]);
            if (size <= kLargest && size > largest) largest = size;
        }
    });
    return largest;
}

std::vector<double> values_of(const BinMapper& mapper, int feature, const Column& column,
                              const Weights& weights) {
    const auto n_values = static_cast<std::size_t>(mapper.n_value_bins(feature));
    const double largest = largest_finite(column);
    if (!(largest > 0) || n_values < 2) return {};
    // Non-integer weights multiply the values before they are rounded.
    double heaviest = 1;
    if (weights.of_row != nullptr && !weights.whole)
        heaviest = *std::max_element(weights.of_row, weights.of_row + column.n_rows());
    const double scale = scale_for(largest * heaviest, weights.sum);
    std::vector<std::int64_t> sums(n_values, 0), n(n_values, 0);
    std::vector<std::uint16_t> codes(static_cast<std::size_t>(kTile));
    each_tile(column, [&](std::int64_t begin, std::int64_t n_rows, const double* values) {
        mapper.codes(feature, values, n_rows, codes.data());
        for (std::int64_t i = 0; i < n_rows; ++i) {
            if (values[i] != values[i]) continue;
            const std::size_t bin = codes[static_cast<std::size_t>(i)];
            // Infinite values count as the largest finite one.
            sums[bin] +=
                weights.rounded(std::clamp(values[i], -largest, largest) * scale, begin + i);
            n[bin] += weights.weight(begin + i);
        }
    });
    std::vector<double> means(n_values + 1, 0.0);
    double sum = 0, count = 0;
    for (std::size_t b = 0; b < n_values; ++b) {
        const double of_bin = static_cast<double>(n[b]) / weights.scale;
        if (of_bin > 0) means[b] = static_cast<double>(sums[b]) / scale / of_bin;
        sum += means[b] * of_bin;
        count += of_bin;
    }
    const double mean = sum / count;
    double squares = 0;
    for (std::size_t b = 0; b < n_values; ++b) {
        const double own = (means[b] - mean) / largest;
        squares += own * own * (static_cast<double>(n[b]) / weights.scale);
    }
    const double deviation = std::sqrt(squares / count) * largest;
    if (!(deviation > 0) || deviation > kLargest) return {};
    for (std::size_t b = 0; b < n_values; ++b)
        means[b] = n[b] > 0 ? (means[b] - mean) / deviation : 0.0;
    return means;
}

} // namespace

BinValues bin_values(const BinMapper& mapper, const std::vector<Column>& columns,
                     const double* weights, int n_threads) {
    BinValues values(columns.size());
    std::int64_t n_rows = 0;
    for (const Column& column : columns) n_rows = std::max(n_rows, column.n_rows());
    const Weights facts(weights, n_rows);
    parallel_for(n_threads, static_cast<std::int64_t>(columns.size()), [&](std::int64_t j) {
        const auto at = static_cast<std::size_t>(j);
        if (mapper.is_category(static_cast<int>(j))) return;
        values[at] = values_of(mapper, static_cast<int>(j), columns[at], facts);
    });
    return values;
}

} // namespace ceiba
