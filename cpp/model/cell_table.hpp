// Tables that map a value to its code (see predict_kernels.hpp) with one lookup and a short search.
#pragma once

#include "model/predict_kernels.hpp"

#include <vector>

namespace ceiba {

// The largest float not above the threshold: x <= threshold is unchanged for every float.
float round_down(double threshold);

// For at most 255 increasing thresholds: the fewest cells that give the shortest search.
template <class T>
CellTable<T> make_cell_table(const std::vector<T>& thresholds);

} // namespace ceiba
