// Maps values to bins: by the edges of every numeric column, by the levels of every category.
//
// The life of a bin mapper:
//   1. find(columns, ...) reads every row and chooses the edges by the rule of edge_rule.hpp; or
//      the caller gives the edges.
//   2. It is immutable from then on. BinnedMatrix::build turns the values of a table into bins.
//
// Edges depend only on the multiset of (value, weight): not on the row order, blocks, number types
// or threads. A row of weight k counts as k rows. Weights that are not all integers are rounded to
// fixed-point numbers whose scale follows from the largest, and min_data_in_bin is relative to
// their mean; with min_data_in_bin = 1 any row is enough for a bin.
//
// The values of a category are its level numbers, 0 .. n_levels - 1, and every level has its own
// bin. (With more levels than codes, the rarest levels share the last bin.)
#pragma once

#include "data/column.hpp"
#include "data/decision.hpp"
#include "data/sorting/sorted_search.hpp"

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
    // Levels with a bin of their own: codes have 16 bits, and one of them is for missing values.
    static constexpr int kMostLevels = 65534;

    // weights: one for each row, above 0, or nullptr. n_levels: one per column, 0 for numeric
    // columns; empty if all are numeric.
    static std::shared_ptr<const BinMapper> find(const std::vector<Column>& columns,
                                                 const double* weights, const BinSettings& settings,
                                                 const std::vector<std::int64_t>& n_levels,
                                                 int n_threads);

    // If the rarest levels of a category share a bin, its `edges` are the other levels, in
    // increasing order; otherwise they are empty.
    BinMapper(std::vector<std::vector<double>> edges, std::vector<bool> has_missing,
              std::vector<std::int64_t> n_levels = {});

    int n_features() const { return static_cast<int>(edges_.size()); }
    std::span<const double> edges(int feature) const { return edges_[place(feature)]; }
    bool has_missing(int feature) const { return has_missing_[place(feature)]; }
    int n_value_bins(int feature) const { return n_value_bins_[place(feature)]; }
    int n_bins(int feature) const {
        return n_value_bins(feature) + (has_missing_[place(feature)] ? 1 : 0);
    }
    int missing_code(int feature) const { return n_value_bins(feature); }

    bool is_category(int feature) const { return n_levels(feature) > 0; }
    std::int64_t n_levels(int feature) const {
        return n_levels_.empty() ? 0 : n_levels_[place(feature)];
    }
    Code code_of_level(int feature, std::int64_t level) const {
        const auto& codes = codes_of_levels_[place(feature)];
        return codes.empty() ? static_cast<Code>(level) : codes[static_cast<std::size_t>(level)];
    }
    // The codes of n values. NaN and, in a category, unknown levels have the missing code.
    template <class Number>
    void codes(int feature, const double* values, std::int64_t n, Number* out) const;

  private:
    static std::size_t place(int feature) { return static_cast<std::size_t>(feature); }
    void check_edges(std::size_t column) const;
    void take_levels(std::size_t column);

    std::vector<std::vector<double>> edges_;
    std::vector<bool> has_missing_;
    std::vector<std::int64_t> n_levels_; // empty: all columns are numeric
    std::vector<int> n_value_bins_;
    std::vector<SortedSearch> search_; // of numeric columns
    // of categories whose rarest levels share a bin
    std::vector<std::vector<std::uint16_t>> codes_of_levels_;
};

} // namespace ceiba
