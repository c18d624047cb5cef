// Cells of a column: a rough place for every value, in ascending order, by which few values can be
// found again.
//
// The life of the cells:
//   1. draw(sample) chooses how to cut the column. The sample decides how even the cells are, and
//   nothing else.
//   2. note(values) writes the cell of each value, for all rows, from several threads.
//
// A smooth column is cut into equal cells of a guide. Any other (values that repeat, wild tails) is
// cut at the values of the sample: cell 2p holds the values between splitters p - 1 and p, cell 2p
// + 1 those equal to splitter p, so that a value which repeats is told apart from its neighbours.
#pragma once

#include "data/sorting/cell_grid.hpp"
#include "data/sorting/sorted_search.hpp"

#include <cstdint>
#include <vector>

namespace ceiba {

class ColumnCells {
  public:
    static constexpr int most_splitters = 4095;
    static constexpr int most_cells = 2 * most_splitters + 4;

    // sample: sorted, without missing values, at most most_splitters. n_bins: how many the column
    // will have.
    void draw(std::vector<double>&& sample, std::int64_t n_bins, int n_guide_cells);

    int n_cells() const { return n_cells_; } // the last is that of missing values
    std::uint16_t missing_cell() const { return static_cast<std::uint16_t>(n_cells_ - 1); }
    bool is_single_value(int cell) const { return !by_guide_ && cell % 2 == 1; }
    double single_value(int cell) const { return search_.keys()[cell / 2]; }

    void note(const double* values, std::int64_t n, std::uint16_t* cells) const;

  private:
    CellGrid guide_;
    SortedSearch search_; // among the splitters
    int n_cells_ = 0;
    bool by_guide_ = false;
};

} // namespace ceiba
