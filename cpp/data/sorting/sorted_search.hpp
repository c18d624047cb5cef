// Branchless binary search among sorted numbers, for millions of values.
//
// The life of a search:
//   1. assign(keys) lays a grid of equal cells over the keys and stores where each cell begins.
//   2. The cell of a value leaves only the keys of that cell; they are halved `steps` times.
//
//   keys        |  | ||| |  |     |
//   cells   [0   |1   |2   |3   |4   ]     steps = log2(most keys in a cell + 1), for all values
//
// Cells are monotone in x, so a key in a lower cell is below x and a key in a higher cell is above
// it, however values were rounded. Only comparisons with keys decide: a poor grid costs time, never
// a wrong result.
#pragma once

#include "data/sorting/cell_grid.hpp"

#include <cstdint>
#include <vector>

namespace ceiba {

class SortedSearch {
  public:
    static constexpr std::int64_t most_at_once = 1024;

    // Strictly ascending keys, at most 65,535; infinities are allowed.
    void assign(const double* keys, int n_keys);

    int n_keys() const { return n_keys_; }
    const double* keys() const { return keys_.data(); } // then +inf

    // For each of at most most_at_once values, the number of keys below it. Calls store(i, rank);
    // for a missing value the rank is that of some key.
    template <class Store>
    void each_rank(const double* values, std::int64_t n, Store&& store) const {
        std::int32_t cells[most_at_once];
        grid_cells(grid_, values, n, cells);
        switch (steps_) {
        case 0:
            return halve<0>(values, n, cells, store);
        case 1:
            return halve<1>(values, n, cells, store);
        case 2:
            return halve<2>(values, n, cells, store);
        case 3:
            return halve<3>(values, n, cells, store);
        case 4:
            return halve<4>(values, n, cells, store);
        case 5:
            return halve<5>(values, n, cells, store);
        case 6:
            return halve<6>(values, n, cells, store);
        default:
            return halve<-1>(values, n, cells, store);
        }
    }

  private:
    template <int fixed_steps, class Store>
    void halve(const double* values, std::int64_t n, const std::int32_t* cells,
               Store&& store) const {
        const int steps = fixed_steps >= 0 ? fixed_steps : steps_;
        const double* keys = keys_.data();
        const std::uint16_t* start = start_.data();
        for (std::int64_t i = 0; i < n; ++i) {
            const double x = values[i];
            std::uint32_t rank = start[cells[i]];
#pragma GCC unroll 8
            for (int step = steps - 1; step >= 0; --step) {
                const std::uint32_t half = 1u << step;
                rank += static_cast<std::uint32_t>(keys[rank + half - 1] < x) << step;
            }
            store(i, rank);
        }
    }

    int most_in_a_cell(const CellGrid& grid) const;
    void note_starts();

    CellGrid grid_;
    std::vector<double> keys_; // then +inf as far as the search may read
    std::vector<std::uint16_t> start_;
    int n_keys_ = 0, steps_ = 0;
};

} // namespace ceiba
