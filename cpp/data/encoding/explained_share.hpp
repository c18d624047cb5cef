// What the columns of a combination tell of the targets that those of other ones together do not.
//
//     share = (squared error of the best linear fit of the others - that with its own besides)
//             / (squared error of the mean)
//
// The columns of a combination are its statistics and 1 / (1 + rows of the key): on some tables it
// matters most how often levels stand together. A combination whose share is next to nothing says
// again what its parts say, in more levels of fewer rows each. Statistics of rows do not know the
// rows' own targets, so chance gives a column the share of about one row.
//
// Some ten thousand rows are looked at, in stretches all over the table. Sums of products are taken
// in the order of the rows, by one thread, and columns are then taken out of each other one by one.
// A column of which nothing is left by then is passed over.
#pragma once

#include "data/encoding/target_statistics.hpp"

#include <span>

namespace ceiba {

// own and others: columns of combinations, [n_targets * n_priors + 1, n_rows], the weight of each
// row's key last. Several targets count together.
double explained_share(const double* own, std::span<const double* const> others,
                       std::size_t n_priors, const TargetRows& rows, double target_unit,
                       double weight_unit);

} // namespace ceiba
