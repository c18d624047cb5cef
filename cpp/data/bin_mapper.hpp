// From values to bins: the edges of every column.
//
// The life of a bin mapper:
//   1. find(columns, ...) looks at every row and chooses the edges by the rule of edge_rule.hpp; or
//   the edges come
//      from elsewhere.
//   2. Nothing changes it any more. code(j, x), or for a whole table BinnedMatrix::build, turns
//   values into bins.
//
// Edges depend on the multiset of (value, weight) alone: not on the order of rows, their blocks,
// their number type or the threads. A weight k counts as k rows. Weights that are not all integers
// are rounded to fixed-point numbers whose scale comes from the largest, and min_data_in_bin counts
// them relative to their average; with min_data_in_bin = 1 any row is enough for a bin.
#pragma once

#include "data/column.hpp"
#include "data/sorted_search.hpp"

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace ceiba {

struct BinSettings {
    int max_bins = 255; // including the bin of missing values
    double min_data_in_bin = 1.0;
};

class BinMapper {
  public:
    // weights: one for each row, above 0, or nullptr.
    static std::shared_ptr<const BinMapper> find(const std::vector<Column>& columns,
                                                 const double* weights, const BinSettings& settings,
                                                 int n_threads);

    BinMapper(std::vector<std::vector<double>> edges, std::vector<bool> has_missing);

    int n_features() const { return static_cast<int>(edges_.size()); }
    std::span<const double> edges(int feature) const { return edges_[feature]; }
    bool has_missing(int feature) const { return has_missing_[feature]; }
    int n_value_bins(int feature) const { return static_cast<int>(edges_[feature].size()) + 1; }
    int n_bins(int feature) const {
        return n_value_bins(feature) + (has_missing_[feature] ? 1 : 0);
    }
    int missing_code(int feature) const { return n_value_bins(feature); }
    const SortedSearch& search(int feature) const { return search_[feature]; }

  private:
    std::vector<std::vector<double>> edges_;
    std::vector<bool> has_missing_;
    std::vector<SortedSearch> search_;
};

} // namespace ceiba
