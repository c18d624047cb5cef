#include "data/encoding/target_statistics.hpp"

#include "base/errors.hpp"
#include "base/hash.hpp"
#include "base/interrupt.hpp"
#include "parallel/pool.hpp"
#include "parallel/rows.hpp"

#include <algorithm>
#include <functional>
#include <utility>

namespace ceiba {
namespace {

// Separates these hashes from those of row sampling, which use the same seed.
constexpr std::uint64_t kPurpose = 0x7461726765747374ULL;
constexpr std::int64_t kTile = 1024;

using Before = StatisticsBuffers::Before;

double mean_of(const Before& all, double target_unit, double weight_unit) {
    const double weight = static_cast<double>(all.weight) * weight_unit;
    return weight > 0.0 ? static_cast<double>(all.sum) * target_unit / weight : 0.0;
}

// Prefetch distances in rows: rows come in random order.
constexpr std::size_t kFar = 32, kNear = 16;

struct Walk {
    std::span<const std::int32_t> places;
    const std::int64_t* targets;
    double target_unit;
    const TargetRows& rows;
    const StatisticsRule& rule;
    std::span<Before> before; // of each key
};

// Walks one permutation for one target. Adds the statistic to sums[row * n_priors + prior].
template <bool kFixedPriors>
void walk(const Walk& given, const RowPermutation& permutation, double* sums) {
    const auto& [places, targets, target_unit, rows, rule, before] = given;
    std::fill(before.begin(), before.end(), Before{});
    const std::size_t n_priors = rule.n_priors(), n = permutation.size();
    Before all;
    if (n > 1)
        all = {targets[permutation[1]], rows.weight(permutation[1])}; // prior of the first row
    for (std::size_t i = 0; i < n; ++i) {
        if (i % kRowsPerCheck == 0) check_interrupt();
        const auto far = static_cast<std::size_t>(permutation[std::min(i + kFar, n - 1)]);
        __builtin_prefetch(&places[far]);
        __builtin_prefetch(targets + far);
        __builtin_prefetch(sums + far * n_priors, 1);
        const std::int32_t soon =
            places[static_cast<std::size_t>(permutation[std::min(i + kNear, n - 1)])];
        if (soon != kNoPlace) __builtin_prefetch(&before[static_cast<std::size_t>(soon)], 1);

        const std::int32_t row = permutation[i];
        const std::int32_t place = places[static_cast<std::size_t>(row)];
        const Before known = place == kNoPlace ? Before{} : before[static_cast<std::size_t>(place)];
        const double sum = static_cast<double>(known.sum) * target_unit;
        const double count = static_cast<double>(known.weight) * rule.weight_unit;
        double* own = sums + static_cast<std::size_t>(row) * n_priors;
        if constexpr (kFixedPriors) {
            for (std::size_t p = 0; p < n_priors; ++p)
                own[p] += rule.value(sum, count, rule.priors[p]);
        } else {
            own[0] += rule.value(sum, count, mean_of(all, target_unit, rule.weight_unit));
        }
        if (i == 0) all = Before{};
        const std::int64_t weight = rows.weight(row);
        all.sum += targets[row];
        all.weight += weight;
        if (place == kNoPlace) continue;
        before[static_cast<std::size_t>(place)].sum += targets[row];
        before[static_cast<std::size_t>(place)].weight += weight;
    }
}

// Stable radix sort by the upper 32 bits, in three counting passes.
void sort_by_hash(std::vector<std::uint64_t>& keyed) {
    constexpr int kBits = 11;
    std::vector<std::uint64_t> moved(keyed.size());
    for (int shift = 32; shift < 64; shift += kBits) {
        std::vector<std::size_t> ends((std::size_t{1} << kBits) + 1, 0);
        const auto digit = [shift](std::uint64_t key) {
            return static_cast<std::size_t>(key >> shift) & ((std::size_t{1} << kBits) - 1);
        };
        check_interrupt();
        for (const std::uint64_t key : keyed) ++ends[digit(key) + 1];
        for (std::size_t d = 1; d < ends.size(); ++d) ends[d] += ends[d - 1];
        for (const std::uint64_t key : keyed) moved[ends[digit(key)]++] = key;
        keyed.swap(moved);
    }
}

} // namespace

std::vector<RowPermutation> row_permutations(std::uint64_t seed, int n_permutations,
                                             std::int64_t n_rows, int n_threads) {
    std::vector<RowPermutation> permutations(static_cast<std::size_t>(n_permutations));
    n_threads = useful_threads(n_threads, n_rows * n_permutations);
    parallel_for(n_threads, n_permutations, [&](std::int64_t k) {
        // Sorted by hash (the upper 32 bits), ties by row number.
        const std::uint64_t key = hash64(seed, kPurpose, static_cast<std::uint64_t>(k));
        std::vector<std::uint64_t> keyed(static_cast<std::size_t>(n_rows));
        for (std::size_t row = 0; row < keyed.size(); ++row)
            keyed[row] = (hash64(key, row) & ~std::uint64_t{0xFFFFFFFF}) | row;
        sort_by_hash(keyed);
        RowPermutation& permutation = permutations[static_cast<std::size_t>(k)];
        permutation.resize(keyed.size());
        std::transform(keyed.begin(), keyed.end(), permutation.begin(),
                       [](std::uint64_t own) { return static_cast<std::int32_t>(own); });
    });
    return permutations;
}

void ordered_statistics(std::span<const std::int32_t> places, std::size_t n_keys,
                        const TargetRows& rows, const StatisticsRule& rule,
                        std::span<const RowPermutation> permutations, StatisticsBuffers& buffers,
                        double* out) {
    const auto n_rows = static_cast<std::size_t>(rows.n_rows);
    const std::size_t n_priors = rule.n_priors();
    buffers.before.need(n_keys);
    buffers.sums.need(n_rows * n_priors);
    double* sums = buffers.sums.data();
    const double n_permutations = static_cast<double>(permutations.size());
    for (std::size_t t = 0; t < rows.n_targets(); ++t) {
        const Walk given{places, rows.targets.data() + t * n_rows, rule.target_units[t], rows,
                         rule,   {buffers.before.data(), n_keys}};
        std::fill_n(sums, n_rows * n_priors, 0.0);
        for (const RowPermutation& permutation : permutations)
            rule.priors.empty() ? walk<false>(given, permutation, sums)
                                : walk<true>(given, permutation, sums);
        for (std::size_t p = 0; p < n_priors; ++p)
            for (std::size_t row = 0; row < n_rows; ++row)
                *out++ = sums[row * n_priors + p] / n_permutations;
    }
}

TotalStatistics total_statistics(std::span<const std::int32_t> places, std::size_t n_keys,
                                 const TargetRows& rows) {
    TotalStatistics totals;
    totals.weights.assign(n_keys, 0);
    totals.targets.assign(rows.n_targets() * n_keys, 0);
    const auto n_rows = static_cast<std::size_t>(rows.n_rows);
    for (std::size_t row = 0; row < n_rows; ++row) {
        if (places[row] == kNoPlace) continue;
        const auto place = static_cast<std::size_t>(places[row]);
        totals.weights[place] += rows.weight(static_cast<std::int32_t>(row));
        for (std::size_t t = 0; t < rows.n_targets(); ++t)
            totals.targets[t * n_keys + place] += rows.targets[t * n_rows + row];
    }
    return totals;
}

void StatisticsTables::add(std::vector<std::int32_t> sources, std::vector<std::int64_t> n_levels,
                           std::span<const std::uint64_t> keys, std::vector<double> values) {
    KeyMaker maker(std::move(n_levels));
    const std::uint64_t n_possible = maker.n_possible();
    const bool sound = sources.size() == maker.n_columns() && !sources.empty() &&
                       values.size() % (keys.size() + 1) == 0 &&
                       std::is_sorted(keys.begin(), keys.end(), std::less_equal<>()) &&
                       (keys.empty() || keys.back() < n_possible);
    if (!sound)
        throw ModelFileError("the target statistics do not match the levels of the categories.");
    const std::size_t n_columns = values.size() / (keys.size() + 1);
    parts_.push_back({std::move(sources), std::move(maker), KeyIndex(keys, n_possible), keys.size(),
                      std::move(values), n_columns_, n_columns});
    n_columns_ += n_columns;
}

std::size_t StatisticsTables::part_of(std::size_t column) const {
    std::size_t part = 0;
    while (column >= parts_[part].first_column + parts_[part].n_columns) ++part;
    return part;
}

std::span<const double> StatisticsTables::values_of(std::size_t column) const {
    const Part& part = parts_[part_of(column)];
    const std::size_t n = part.n_keys + 1;
    return std::span(part.values).subspan((column - part.first_column) * n, n);
}

void StatisticsTables::look_up(std::span<const Column> columns, std::int64_t n_rows, int n_threads,
                               double* out) const {
    for (const Part& part : parts_)
        for (const std::int32_t j : part.sources)
            if (j < 0 || static_cast<std::size_t>(j) >= columns.size())
                throw InputError(
                    "The table lacks a column that target statistics are computed from.");
    const auto work = [&](const Part& part, std::int64_t begin, std::int64_t end) {
        std::vector<const Column*> own;
        for (const std::int32_t j : part.sources)
            own.push_back(&columns[static_cast<std::size_t>(j)]);
        std::uint64_t keys[kTile];
        for (std::int64_t first = begin; first < end; first += kTile) {
            const std::int64_t n_here = std::min(kTile, end - first);
            part.maker.make(own, first, n_here, keys);
            for (std::int64_t i = 0; i < n_here; ++i) {
                const std::int32_t place = part.index.find(keys[i]);
                const std::size_t found =
                    place == kNoPlace ? part.n_keys : static_cast<std::size_t>(place);
                const double* value = part.values.data() + found;
                double* to =
                    out + static_cast<std::int64_t>(part.first_column) * n_rows + first + i;
                for (std::size_t c = 0; c < part.n_columns; ++c) {
                    *to = *value;
                    to += n_rows;
                    value += part.n_keys + 1;
                }
            }
        }
    };
    const auto cost = n_rows * static_cast<std::int64_t>(n_columns_);
    if (useful_threads(n_threads, cost) == 1) {
        for (const Part& part : parts_) work(part, 0, n_rows);
        return;
    }
    over_rows(n_rows, n_threads, [&](std::int64_t begin, std::int64_t end) {
        for (const Part& part : parts_) work(part, begin, end);
    });
}

} // namespace ceiba
