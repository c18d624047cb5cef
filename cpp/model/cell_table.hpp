// Tables that turn a value into its code (see predict_kernels.hpp) in one look and a short search.
#pragma once

#include "model/predict_kernels.hpp"

#include <vector>

namespace ceiba {

// The largest float that is not above the threshold: x <= threshold means the same for every float.
float round_down(double threshold);

// For at most 255 thresholds, increasing: the fewest cells that make the search as short as it gets.
template <class T>
CellTable<T> make_cell_table(const std::vector<T>& thresholds);

} // namespace ceiba
