// The regressor value of each bin: the mean of the values in it.
//
// Trees with linear gain read regressors through bin codes, so a column has one number per bin. The
// numbers are centered and scaled by the mean and standard deviation of the binned column, so that
// one penalty suits all slopes. A missing value has the mean, 0. All sums are integer sums: row
// order, blocks and threads do not change them, and a row of integer weight k equals k rows.
#pragma once

#include "data/binning/bin_mapper.hpp"
#include "data/column.hpp"

#include <vector>

namespace ceiba {

// By column and bin, including the bin of missing values (also if the column has none). Empty if
// the column cannot be a regressor: a category, a constant, or without finite values.
using BinValues = std::vector<std::vector<double>>;

// A column without rows is not a regressor. weights: one for each row, above 0, or nullptr.
BinValues bin_values(const BinMapper& mapper, const std::vector<Column>& columns,
                     const double* weights, int n_threads);

} // namespace ceiba
