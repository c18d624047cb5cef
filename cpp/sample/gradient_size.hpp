// Row samples by the size of gradients: rows that still have something to teach are kept, and what
// the others would have said is said by fewer of them, more loudly. Sums over a sample, with its
// multipliers, are those over all rows in expectation.
//
// Goss (gradient-based one-side sampling, of LightGBM): the rows of the largest |gradient * hessian|,
// summed over the outputs, count once; each of the others is taken by a chance of its own and then
// counts 1 / chance times.
//
// Mvs (minimal variance sampling, of CatBoost): a row of size s = sqrt(sum of gradient^2 over the
// outputs + penalty) is taken with the chance min(1, s / threshold) and then counts 1 / chance times.
// The threshold makes the expected number of rows the one that is asked for.
//
// Gradients and hessians are multiplied by the weights of rows before they are looked at. A rank or
// a threshold follows from the multiset of sizes: it is selected, or comes of sums of integers.
#pragma once

#include "base/buffer.hpp"
#include "sample/rows.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace ceiba {

// The gradients of all trees of a round, one row of n_rows for each.
struct RoundGradients {
    const double* gradients = nullptr;
    const double* hessians = nullptr; // none: constant_hessian
    double constant_hessian = 1;
    const double* weights = nullptr; // by row; none: 1
    std::int64_t n_trees = 1, n_rows = 0;
};

// Memory that is used from round to round.
struct SampleRoom {
    Buffer<double> sizes;
    Buffer<std::uint32_t> halves;
};

// n_top rows of large gradients, and about n_other of the others (1 <= n_other, n_top + n_other <
// n_rows). Where |gradients| are equal, lower row numbers come first.
SampledRows goss_rows(const RowKey& key, const RoundGradients& round, std::int64_t n_top,
                      double n_other, int n_threads, SampleRoom& room);

// About n_expected rows (below the number of rows), but none of size 0. No row at all where sizes tell
// nothing: all are 0, or some are not finite; then all rows are to be taken.
SampledRows mvs_rows(const RowKey& key, const RoundGradients& round, double penalty,
                     double n_expected, int n_threads, SampleRoom& room);

// The mean over rows of sqrt(sum of gradient^2 over the outputs).
double mean_size(const RoundGradients& round, int n_threads, SampleRoom& room);

// The threshold t with sum of min(1, size / t) = n_expected, which is more than 0 and below the number
// of sizes; those are finite and not negative. 0 where no more than n_expected sizes are above 0.
double mvs_threshold(std::span<const double> sizes, double n_expected, int n_threads);

} // namespace ceiba
