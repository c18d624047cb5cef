#include "model/cell_table.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <utility>

namespace ceiba {

namespace {

// Must use the same arithmetic as `encode` of the kernels.
template <class T>
std::size_t cell_of(const CellTable<T>& table, T x) {
    T cell = (x - table.lowest) * table.scale;
    cell = cell > T{0} ? cell : T{0};
    cell = cell < table.last_cell ? cell : table.last_cell;
    return static_cast<std::size_t>(cell);
}

template <class T>
CellTable<T> with_cells(const std::vector<T>& thresholds, T lowest, T highest,
                        std::size_t n_cells) {
    CellTable<T> table;
    table.lowest = lowest;
    table.last_cell = static_cast<T>(n_cells - 1);
    const T scale = static_cast<T>(n_cells) / (highest - lowest);
    table.scale = std::isfinite(scale) ? scale : T{0};
    table.starts.assign(n_cells, 0);
    std::vector<std::size_t> in_cell(n_cells, 0);
    for (const T threshold : thresholds) ++in_cell[cell_of(table, threshold)];
    std::size_t below = 0, most = 0;
    for (std::size_t cell = 0; cell < n_cells; ++cell) {
        // After the last cell with a threshold this may be 255, which still fits.
        table.starts[cell] = static_cast<std::uint8_t>(below);
        below += in_cell[cell];
        most = std::max(most, in_cell[cell]);
    }
    table.n_steps = static_cast<int>(std::bit_width(most));
    table.thresholds = thresholds;
    table.thresholds.resize(thresholds.size() + (std::size_t{1} << table.n_steps),
                            std::numeric_limits<T>::infinity());
    return table;
}

} // namespace

float round_down(double threshold) {
    const float nearest = static_cast<float>(threshold);
    if (static_cast<double>(nearest) <= threshold) return nearest;
    return std::nextafterf(nearest, -std::numeric_limits<float>::infinity());
}

template <class T>
CellTable<T> make_cell_table(const std::vector<T>& thresholds) {
    T lowest = 0, highest = 0;
    bool found = false;
    for (const T threshold : thresholds) {
        if (!std::isfinite(threshold)) continue;
        if (!found) lowest = threshold;
        highest = threshold;
        found = true;
    }
    std::size_t n_cells = std::bit_ceil(2 * thresholds.size() + 2);
    CellTable<T> best = with_cells(thresholds, lowest, highest, n_cells);
    while (best.n_steps > 1 && n_cells < 2048) {
        n_cells *= 2;
        CellTable<T> finer = with_cells(thresholds, lowest, highest, n_cells);
        if (finer.n_steps < best.n_steps) best = std::move(finer);
    }
    return best;
}

template CellTable<double> make_cell_table(const std::vector<double>& thresholds);
template CellTable<float> make_cell_table(const std::vector<float>& thresholds);

} // namespace ceiba
