// A binned table that is recoded for every tree.
//
// The life of a recoded matrix:
//   1. It is created for ranked columns and a maximum number of bins; all codes are 0.
//   2. recode(cuts) codes every row by the cuts of the columns: two lookups and no search.
//   3. Trees are grown on binned() until the next recode().
//
//   ranks of a column   0 1 2 3 4 5 6 7      cuts 1 4      codes by rank   0 0 1 1 1 2 2 2
//
// Thresholds are the midpoints between a cut and the next value of the column.
#pragma once

#include "data/binning/candidates.hpp"
#include "data/coded/binned.hpp"
#include "data/coded/ranked.hpp"

#include <algorithm>
#include <memory>
#include <span>
#include <vector>

namespace ceiba {

class RecodedMatrix {
  public:
    // `most_bins` of a column, including the one for missing values. Without `in_use` no codes are
    // allocated, and the matrix only has the shape of the table. `kinds` (may be empty): 0 for
    // numeric columns; every value of another column is a bin.
    RecodedMatrix(std::shared_ptr<const RankedColumns> ranked, int most_bins, bool in_use = true,
                  std::vector<std::uint8_t> kinds = {});

    // Other columns keep their cuts and codes.
    void recode(std::span<const int> columns, std::vector<Cuts>& cuts, int n_threads);

    const BinnedMatrix& binned() const { return binned_; }
    const RankedColumns& ranked() const { return *ranked_; }
    bool is_category(int feature) const {
        return !kinds_.empty() && kinds_[static_cast<std::size_t>(feature)] != 0;
    }
    int most_value_bins(int feature) const {
        if (is_category(feature)) return static_cast<int>(ranked_->values(feature).size());
        return std::max(1, most_bins_ - (ranked_->has_missing(feature) ? 1 : 0));
    }
    const Cuts& cuts(int feature) const { return cuts_[static_cast<std::size_t>(feature)]; }

  private:
    void write(std::span<const int> columns, int n_threads);
    template <class Code>
    void write_column(int feature);
    void set_mapper();

    std::shared_ptr<const RankedColumns> ranked_;
    int most_bins_;
    std::vector<std::uint8_t> kinds_;
    std::vector<Cuts> cuts_;
    std::vector<std::uint8_t> written_; // columns that were coded at least once
    BinnedMatrix binned_;
};

// A table of the same shape without codes, for growers that code it themselves.
std::shared_ptr<const BinnedMatrix>
table_without_codes(const std::shared_ptr<const RankedColumns>& ranked);

} // namespace ceiba
