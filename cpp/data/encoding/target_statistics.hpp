// Target statistics (target encoding): the mean target of each category level.
//
//     statistic = (sum of the level's targets + strength * prior) / (rows of the level + strength)
//
// The statistic of a training row must not contain the row's own target. Training rows are
// therefore permuted at random, and each row uses only the rows before it ("ordered" statistics);
// the results of several permutations are averaged. At predict, all training rows count.
//
// The life of a statistic:
//   1. row_permutations sorts rows by a hash of (seed, number of the permutation, row).
//   2. ordered_statistics walks the rows of each permutation; a thread handles one combination of
//      columns at a time.
//   3. total_statistics sums over all rows. The model stores these sums.
//   4. StatisticsTables looks up the statistics of rows at predict.
//
// Targets and weights are integers in units (powers of two), so sums are exact. Each target has its
// own unit, because targets may differ by many orders of magnitude. The prior is a fixed number, or
// the mean target of all rows before the current one. The first row of a permutation uses the
// target of the second row, so that no row sees its own target in the prior.
#pragma once

#include "base/buffer.hpp"
#include "data/encoding/level_keys.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace ceiba {

struct StatisticsRule {
    double strength = 1.0;
    std::vector<double> priors;       // one statistic for each; empty: one, with the running mean
    std::vector<double> target_units; // of each target
    double weight_unit = 1.0;

    std::size_t n_priors() const { return priors.empty() ? 1 : priors.size(); }
    double value(double sum, double count, double prior) const {
        const double weight = count + strength;
        return weight > 0.0 ? (sum + strength * prior) / weight : prior;
    }
};

// The values that are averaged: weight times target, and the weights.
struct TargetRows {
    std::span<const std::int64_t> targets; // [n_targets, n_rows]
    std::span<const std::int64_t> weights; // [n_rows], or empty: all are 1
    std::int64_t n_rows = 0;

    std::size_t n_targets() const {
        return n_rows > 0 ? targets.size() / static_cast<std::size_t>(n_rows) : 0;
    }
    std::int64_t weight(std::int32_t row) const {
        return weights.empty() ? 1 : weights[static_cast<std::size_t>(row)];
    }
};

using RowPermutation = std::vector<std::int32_t>;

std::vector<RowPermutation> row_permutations(std::uint64_t seed, int n_permutations,
                                             std::int64_t n_rows, int n_threads);

// Buffers that a thread reuses for its next combination.
struct StatisticsBuffers {
    // Sum and weight of the rows before the current one.
    struct Before {
        std::int64_t sum = 0;
        std::int64_t weight = 0;
    };
    Buffer<Before> before;
    Buffer<double> sums;
};

// out[(t * n_priors + p) * n_rows + row]: the mean over the permutations. `places` come from
// KeyedRows.
void ordered_statistics(std::span<const std::int32_t> places, std::size_t n_keys,
                        const TargetRows& rows, const StatisticsRule& rule,
                        std::span<const RowPermutation> permutations, StatisticsBuffers& buffers,
                        double* out);

struct TotalStatistics {
    std::vector<std::int64_t> weights; // of each key
    std::vector<std::int64_t> targets; // [n_targets, n_keys]
};

TotalStatistics total_statistics(std::span<const std::int32_t> places, std::size_t n_keys,
                                 const TargetRows& rows);

// Statistics of levels and of combinations of levels at predict: one number per derived column.
class StatisticsTables {
  public:
    // values: [n_columns, n_keys + 1]; the last entry is for levels that training did not see.
    void add(std::vector<std::int32_t> sources, std::vector<std::int64_t> n_levels,
             std::span<const std::uint64_t> keys, std::vector<double> values);

    std::size_t n_columns() const { return n_columns_; }
    std::size_t n_parts() const { return parts_.size(); }
    const std::vector<std::int32_t>& sources(std::size_t part) const {
        return parts_[part].sources;
    }
    const KeyMaker& maker(std::size_t part) const { return parts_[part].maker; }
    std::size_t part_of(std::size_t column) const;
    // The index of a key among the values of its columns; n_keys for an unknown key.
    std::int32_t place(std::size_t part, std::uint64_t key) const {
        const std::int32_t found = parts_[part].index.find(key);
        return found == kNoPlace ? static_cast<std::int32_t>(parts_[part].n_keys) : found;
    }
    std::span<const double> values_of(std::size_t column) const;
    // columns: all columns of the table. out[column * n_rows + row].
    void look_up(std::span<const Column> columns, std::int64_t n_rows, int n_threads,
                 double* out) const;

  private:
    struct Part {
        std::vector<std::int32_t> sources;
        KeyMaker maker;
        KeyIndex index;
        std::size_t n_keys;
        std::vector<double> values;
        std::size_t first_column;
        std::size_t n_columns;
    };

    std::vector<Part> parts_;
    std::size_t n_columns_ = 0;
};

} // namespace ceiba
