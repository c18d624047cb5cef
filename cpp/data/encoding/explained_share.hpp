// Share of the target variance that a combination of categories explains beyond its parts.
//
//     share = (squared error of a linear fit on the parts
//              - squared error of a linear fit on the parts and the combination)
//             / (squared error of the mean)
//
// The columns of a combination are its target statistics and 1 / (1 + rows of the key), because on
// some tables the frequency of a combination matters most. A combination with a share close to 0
// repeats its parts with more levels of fewer rows each. Ordered statistics do not contain a row's
// own target, so by chance a column explains the share of about one row.
//
// At most 65,536 rows are used, in blocks spread over the table. One thread sums products in row
// order and then eliminates columns one by one (Gaussian elimination). Columns that are linear
// combinations of earlier ones are skipped.
#pragma once

#include "data/encoding/target_statistics.hpp"

#include <span>

namespace ceiba {

// own and others: columns of combinations, [n_targets * n_priors + 1, n_rows], with the weight of
// each row's key last. For the classes of one target the squared errors are added; for targets of
// different scales the result is the mean of their shares.
double explained_share(const double* own, std::span<const double* const> others,
                       std::size_t n_priors, const TargetRows& rows,
                       std::span<const double> target_units, double weight_unit, bool are_classes);

} // namespace ceiba
