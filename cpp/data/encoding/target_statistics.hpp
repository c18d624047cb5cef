// Target statistics of categories: what the target is on average where a level stands.
//
//     statistic = (sum of the targets of the level + strength * prior) / (its rows + strength)
//
// A row that is learned from must not see its own target in its statistic. So the rows are put into
// a random order, and only those before it count ("ordered"); several orders are averaged. At
// predict all rows of the training count.
//
// The life of a statistic:
//   1. row_orders makes the orders: rows sorted by a hash of (seed, number of the order, row).
//   2. ordered_statistics walks the rows in each order, one combination of columns a thread.
//   3. total_statistics sums all rows: what a model keeps.
//   4. StatisticsTables looks rows up that are to be predicted.
//
// Targets and weights are whole numbers of a unit (a power of two), so sums are exact. A prior is a
// fixed number, or the mean of all targets before the row; the first row takes that of the second,
// so that no row sees its own target there either.
#pragma once

#include "base/buffer.hpp"
#include "data/encoding/level_keys.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace ceiba {

struct StatisticsRule {
    double strength = 1.0;
    std::vector<double> priors; // fixed ones, a statistic for each; empty: one, with the mean
    double target_unit = 1.0;
    double weight_unit = 1.0;

    std::size_t n_priors() const { return priors.empty() ? 1 : priors.size(); }
    double value(double sum, double count, double prior) const {
        const double weight = count + strength;
        return weight > 0.0 ? (sum + strength * prior) / weight : prior;
    }
};

// What is averaged: weight times target, and the weights.
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

using Order = std::vector<std::int32_t>;

std::vector<Order> row_orders(std::uint64_t seed, int n_orders, std::int64_t n_rows, int n_threads);

// Memory that is used again by the next combination of a thread.
struct StatisticsRoom {
    // Sum and weight of the rows before.
    struct Before {
        std::int64_t sum = 0;
        std::int64_t weight = 0;
    };
    Buffer<Before> before;
    Buffer<double> sums;
};

// out[(t * n_priors + p) * n_rows + row]: the mean over the orders. `places` are those of KeyedRows.
void ordered_statistics(std::span<const std::int32_t> places, std::size_t n_keys,
                        const TargetRows& rows, const StatisticsRule& rule,
                        std::span<const Order> orders, StatisticsRoom& room, double* out);

struct TotalStatistics {
    std::vector<std::int64_t> weights; // of each key
    std::vector<std::int64_t> targets; // [n_targets, n_keys]
};

TotalStatistics total_statistics(std::span<const std::int32_t> places, std::size_t n_keys,
                                 const TargetRows& rows);

// What a level, or a combination of them, stands for at predict: a number for each derived column.
class StatisticsTables {
  public:
    // values: [n_columns, n_keys + 1], the last one for levels that the training did not hold.
    void add(std::vector<std::int32_t> sources, std::vector<std::int64_t> n_levels,
             std::span<const std::uint64_t> keys, std::vector<double> values);

    std::size_t n_columns() const { return n_columns_; }
    std::size_t n_parts() const { return parts_.size(); }
    const std::vector<std::int32_t>& sources(std::size_t part) const {
        return parts_[part].sources;
    }
    const KeyMaker& maker(std::size_t part) const { return parts_[part].maker; }
    std::size_t part_of(std::size_t column) const;
    // The place of a key among the values of its columns, that of what is not known included.
    std::int32_t place(std::size_t part, std::uint64_t key) const {
        const std::int32_t found = parts_[part].index.find(key);
        return found == kNoPlace ? static_cast<std::int32_t>(parts_[part].n_keys) : found;
    }
    std::span<const double> values_of(std::size_t column) const;
    // columns: all of a table. out[column * n_rows + row].
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
