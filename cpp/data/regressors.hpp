// Raw numeric columns for linear leaves, which would lose precision on bins.
//
// The life of regressors:
//   1. build() reads the columns that may be regressors once for a training.
//   2. They are immutable from then on; fits and scores on any number of threads read them.
#pragma once

#include "base/buffer.hpp"
#include "data/column.hpp"

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace ceiba {

class Regressors {
  public:
    // features: the columns to read, ascending.
    static std::shared_ptr<const Regressors>
    build(const std::vector<Column>& columns, std::vector<std::int32_t> features, int n_threads);

    std::int64_t n_rows() const { return n_rows_; }
    int n_features() const { return static_cast<int>(place_of_feature_.size()); } // of the table
    std::span<const std::int32_t> features() const { return features_; }
    bool has(std::int32_t feature) const {
        return place_of_feature_[static_cast<std::size_t>(feature)] >= 0;
    }
    // NaN is missing.
    const double* column(std::int32_t feature) const {
        return values_.data() + place_of_feature_[static_cast<std::size_t>(feature)] * n_rows_;
    }
    // The largest finite |value|.
    double largest(std::int32_t feature) const {
        return largest_[static_cast<std::size_t>(
            place_of_feature_[static_cast<std::size_t>(feature)])];
    }

  private:
    // Returns the largest |value| of each column among them.
    std::vector<double> read_rows(const std::vector<Column>& columns, std::int64_t first,
                                  std::int64_t last);

    std::int64_t n_rows_ = 0;
    std::vector<std::int32_t> features_;
    std::vector<std::int64_t> place_of_feature_; // -1: not read
    std::vector<double> largest_;
    Buffer<double> values_; // column by column
};

} // namespace ceiba
