// Presorted columns, for split methods that read every distinct value.
//
// The life of ranked columns:
//   1. build(columns) sorts every column once for a training.
//   2. They are immutable from then on; growers on any number of threads read them.
//
//   rows      0    1    2    3    4
//   column    2.5  0.1  NaN  2.5  0.7
//   values    0.1  0.7  2.5                distinct, ascending
//   ranks     2    0    none 2    1        of each row: index of its value in `values`
//   order     1    4    0    3             rows by value, equal values by row; without missing ones
//   starts    0    1    2    4             where each value begins in the order, and the end
//
// NaN is missing and -0.0 is 0.0, as everywhere. Threshold searches at a node read `order`
// sequentially, without sorting again.
#pragma once

#include "base/buffer.hpp"
#include "data/column.hpp"

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace ceiba {

class RankedColumns {
  public:
    static constexpr std::uint32_t kMissing = 0xFFFFFFFF;

    static std::shared_ptr<const RankedColumns> build(const std::vector<Column>& columns,
                                                      int n_threads);

    std::int64_t n_rows() const { return n_rows_; }
    int n_features() const { return static_cast<int>(values_.size()); }
    std::span<const double> values(int feature) const { return values_[place(feature)]; }
    const std::uint32_t* ranks(int feature) const { return ranks_.data() + feature * n_rows_; }
    std::span<const std::int32_t> order(int feature) const {
        return {order_.data() + feature * n_rows_, static_cast<std::size_t>(n_present(feature))};
    }
    std::span<const std::int32_t> starts(int feature) const { return starts_[place(feature)]; }
    // Number of rows whose value is not missing.
    std::int64_t n_present(int feature) const { return starts_[place(feature)].back(); }
    bool has_missing(int feature) const { return n_present(feature) < n_rows_; }
    // Number of values not above `threshold`: rows of smaller ranks go left.
    std::uint32_t n_values_up_to(int feature, double threshold) const;
    std::int64_t n_bytes() const;

  private:
    static std::size_t place(int feature) { return static_cast<std::size_t>(feature); }
    void sort_column(const Column& column, int feature);

    std::int64_t n_rows_ = 0;
    std::vector<std::vector<double>> values_;
    std::vector<std::vector<std::int32_t>> starts_;
    Buffer<std::uint32_t> ranks_; // column by column
    Buffer<std::int32_t> order_;  // column by column, each with room for all rows
};

} // namespace ceiba
