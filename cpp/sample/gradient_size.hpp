// Gradient-based row sampling (GOSS and MVS): keeps rows with large gradients, samples the rest and
// up-weights the sampled rows so that sums stay unbiased.
//
// GOSS (gradient-based one-side sampling, of LightGBM): the rows with the largest |gradient *
// hessian|, summed over the outputs, have the multiplier 1. Each other row is taken with a fixed
// probability and has the multiplier 1 / probability.
//
// MVS (minimal variance sampling, of CatBoost): a row of size s = sqrt(sum of gradient^2 over the
// outputs + penalty) is taken with the probability min(1, s / threshold) and has the multiplier 1 /
// probability. The threshold makes the expected number of rows the requested one.
//
// Gradients and hessians are first multiplied by the row weights. Ranks and thresholds depend only
// on the multiset of sizes: they come from selection or from sums of integers.
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
    const double* hessians = nullptr; // null: constant_hessian
    double constant_hessian = 1;
    const double* weights = nullptr; // per row; null: 1
    std::int64_t n_trees = 1, n_rows = 0;
};

// Buffers that are reused in every round.
struct SampleRoom {
    Buffer<double> sizes;
    Buffer<std::uint32_t> halves;
};

// n_top rows of large gradients, and about n_other of the others (1 <= n_other, n_top + n_other <
// n_rows). Ties in |gradient| take lower row numbers first.
SampledRows goss_rows(const RowKey& key, const RoundGradients& round, std::int64_t n_top,
                      double n_other, int n_threads, SampleRoom& room);

// About n_expected rows (below the number of rows), none of size 0. Returns no row if all sizes are
// 0 or some are not finite; the caller then takes all rows.
SampledRows mvs_rows(const RowKey& key, const RoundGradients& round, double penalty,
                     double n_expected, int n_threads, SampleRoom& room);

// For rows in several places: the sizes that goss_rows() and mvs_rows() select by.
std::vector<double> goss_sizes(const RoundGradients& round, int n_threads);
std::span<const double> mvs_sizes(const RoundGradients& round, double penalty, int n_threads,
                                  SampleRoom& room);

// Mean over rows of sqrt(sum of gradient^2 over the outputs).
double mean_size(const RoundGradients& round, int n_threads, SampleRoom& room);

// The threshold t with sum of min(1, size / t) = n_expected, for 0 < n_expected < number of sizes.
// Sizes must be finite and nonnegative. Returns 0 if no more than n_expected sizes are positive.
double mvs_threshold(std::span<const double> sizes, double n_expected, int n_threads);

} // namespace ceiba
