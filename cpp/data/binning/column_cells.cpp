#include "data/binning/column_cells.hpp"

#include <algorithm>
#include <cmath>

namespace ceiba {
namespace {

// Estimated fraction of the rows whose cells contain the end of a bin: a cell with a fraction p of
// the rows contains one with probability n_bins * p.
double share_to_sort(const CellGrid& grid, const std::vector<double>& sample, std::int64_t n_bins) {
    const auto n = static_cast<double>(sample.size());
    double pairs = 0.0;
    for (std::size_t i = 0; i < sample.size();) {
        const std::size_t begin = i;
        const std::int32_t cell = grid.cell(sample[i]);
        while (i < sample.size() && grid.cell(sample[i]) == cell) ++i;
        const auto together = static_cast<double>(i - begin);
        pairs += together * (together - 1.0);
    }
    return static_cast<double>(n_bins) * pairs / (n * (n - 1.0));
}

} // namespace

void ColumnCells::draw(std::vector<double>&& sample, std::int64_t n_bins, int n_grid_cells) {
    by_guide_ = false;
    // Each outer 1/256 holds about one bin: the cells at the ends may hold it entirely.
    const std::size_t trim = sample.size() / 256;
    if (sample.size() >= 256) {
        double least = 0.2; // above this, splitting at sample values is faster
        for (const bool by_bits : {false, true}) {
            const double low = sample[trim], high = sample[sample.size() - 1 - trim];
            if (std::isinf(low) || std::isinf(high)) break;
            const CellGrid grid = CellGrid::make(low, high, n_grid_cells, by_bits);
            const double share = share_to_sort(grid, sample, n_bins);
            if (share < least) {
                least = share / 2; // bits must be much better, since they take longer to compute
                grid_ = grid;
                by_guide_ = true;
            }
        }
    }
    if (by_guide_) {
        n_cells_ = n_grid_cells + 1;
        return;
    }
    sample.erase(std::unique(sample.begin(), sample.end()), sample.end());
    search_.assign(sample.data(), static_cast<int>(sample.size()));
    n_cells_ = 2 * search_.n_keys() + 3; // the splitter after the last is +inf
}

void ColumnCells::note(const double* values, std::int64_t n, std::uint16_t* cells) const {
    const std::uint16_t missing = missing_cell();
    if (by_guide_) {
        std::int32_t found[SortedSearch::most_at_once];
        grid_cells(grid_, values, n, found);
        for (std::int64_t i = 0; i < n; ++i)
            cells[i] = values[i] == values[i] ? static_cast<std::uint16_t>(found[i]) : missing;
    } else {
        const double* keys = search_.keys();
        search_.each_rank(values, n, [=](std::int64_t i, std::uint32_t rank) {
            const double x = values[i];
            const auto cell = static_cast<std::uint16_t>(2 * rank + (keys[rank] == x));
            cells[i] = x == x ? cell : missing;
        });
    }
}

} // namespace ceiba
