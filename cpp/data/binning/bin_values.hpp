// What a bin stands for where its column is a regressor: the mean of the values in it.
//
// Trees whose gain is that of linear models read regressors by their codes, so a column of the table
// is known to them by as many numbers as it has bins. They are centred and scaled by the mean and the
// standard deviation of the column as the bins have it, so that one penalty fits all slopes. A
// missing value stands for the mean, 0. Sums are those of integers: neither the order of rows nor
// blocks nor threads change them, and a whole weight of k is a row that stands k times.
#pragma once

#include "data/binning/bin_mapper.hpp"
#include "data/column.hpp"

#include <vector>

namespace ceiba {

// By column and bin, that of missing values included (and one for them where the column has none). No
// values: the column is a category, constant or without finite values, and never a regressor.
using BinValues = std::vector<std::vector<double>>;

// A column without rows is no regressor. weights: one for each row, above 0, or nullptr.
BinValues bin_values(const BinMapper& mapper, const std::vector<Column>& columns,
                     const double* weights, int n_threads);

} // namespace ceiba
