// Splits a column into ordered cells, so that the values of a few cells can be collected later.
//
// The life of the cells:
//   1. draw(sample) chooses how to split the column. The sample only decides how even the cells
//      are.
//   2. note(values) writes the cell of each value, for all rows, from several threads.
//
// A smooth column is split by a grid of equal cells (cell_grid.hpp). Any other (repeated values,
// heavy tails) is split at the values of the sample: cell 2p holds the values between splitters p -
// 1 and p, cell 2p + 1 those equal to splitter p, which separates a repeated value from its
// neighbors.
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

    // sample: sorted, without missing values, at most most_splitters. n_bins: bins of the column.
    void draw(std::vector<double>&& sample, std::int64_t n_bins, int n_grid_cells);

    int n_cells() const { return n_cells_; } // the last one is for missing values
    std::uint16_t missing_cell() const { return static_cast<std::uint16_t>(n_cells_ - 1); }
    bool is_single_value(int cell) const { return !by_guide_ && cell % 2 == 1; }
    double single_value(int cell) const { return search_.keys()[cell / 2]; }

    void note(const double* values, std::int64_t n, std::uint16_t* cells) const;

  private:
    CellGrid grid_;
    SortedSearch search_; // over the splitters
    int n_cells_ = 0;
    bool by_guide_ = false;
};

} // namespace ceiba
