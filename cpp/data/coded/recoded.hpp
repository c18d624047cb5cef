// A table whose codes are written anew for every tree.
//
// The life of a recoded matrix:
//   1. It is made for ranked columns and a largest number of bins; all codes are 0.
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
    // `most_bins` of a column, that of missing values included. Without `in_use` there is no room
    // for codes, and the matrix only stands for the shape of the table.
    // `kinds`: of every column, 0 for numbers; every value of another is a bin. Or none.
    RecodedMatrix(std::shared_ptr<const RankedColumns> ranked, int most_bins, bool in_use = true,
                  std::vector<std::uint8_t> kinds = {});

    // Columns that are not named keep their cuts and codes.
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

// A table of the same shape that has no codes: for growers that code it themselves.
std::shared_ptr<const BinnedMatrix>
table_without_codes(const std::shared_ptr<const RankedColumns>& ranked);

} // namespace ceiba
