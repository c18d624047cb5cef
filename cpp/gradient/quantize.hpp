// Gradients and hessians of a round as integers.
//
// The life of a quantization:
//   1. Weights are looked at once per training (WeightFacts): are they all whole numbers, how
//   large, their sum.
//   2. Each round, for each tree: the largest |gradient| and hessian of the selected rows give
//   units that are powers
//      of two; a heavy tail (largest far above the mean) asks for the wide form.
//   3. Every selected row gets its word or pair. Rows that are not selected keep what they had and
//   are never read.
//
// Whole weights multiply the rounded gradient, so a weight of k is a row that stands k times. Other
// weights multiply the gradient before it is rounded.
#pragma once

#include "base/buffer.hpp"
#include "gradient/packing.hpp"

#include <cstdint>
#include <span>

namespace ceiba {

struct WeightFacts {
    const double* weights = nullptr; // none: every weight is 1
    bool whole = true;               // all weights are whole numbers, with a sum below 2^30
    bool counted = true;             // whole weights count as rows (min_samples_leaf)
    double largest = 1;

    static WeightFacts of(const double* weights, std::int64_t n_rows, bool weighted_counts);
    bool multiply_after() const { return weights != nullptr && whole; }
    bool multiply_before() const { return weights != nullptr && !whole; }
};

// The gradients of one tree, as they came from the objective.
struct GradientView {
    const double* gradients = nullptr;
    const double* hessians = nullptr; // null: constant_hessian for every row
    double constant_hessian = 1;
    std::int64_t n_rows = 0;
};

// The largest |gradient| and the largest hessian, weighted where weights are not whole.
struct Extent {
    double gradient = 0, hessian = 0;
    bool finite = true, negative = false;
};

struct Quantized {
    Packing packing;
    Sums total;
    Extent extent;               // of the selected rows
    double repeats = 0;          // rows, those of weight k k times
    Buffer<std::uint64_t> words; // single and packed
    Buffer<Pair> pairs;          // wide
};

// `rows` are the selected rows in increasing order; empty with all_rows means every row. `fine`
// asks for sums that choose as unrounded ones would: hessians that differ from row to row take the
// wide form. So they do where rows are few (at most kPackedRows) and nothing is added to the
// hessians of a leaf that would hide how small ones are rounded: a `penalty` below a sixteenth of
// the largest.
void quantize(const GradientView& view, const WeightFacts& weights,
              std::span<const std::int32_t> rows, bool all_rows, bool fine, double penalty,
              int n_threads, Quantized& out);

// The extent of the selected rows. Gradients that are not finite, negative hessians and sums (of
// `repeats` rows) that could overflow are errors, as they are for quantize().
Extent extent_of(const GradientView& view, const WeightFacts& weights,
                 std::span<const std::int32_t> rows, bool all_rows, double repeats, int n_threads);

// 2^exponent.
double power_of_two(int exponent);
// The smallest e with value < 2^e (value > 0 and finite).
int exponent_above(double value);
// The number of bits that hold value.
int bits_for(std::uint64_t value);

} // namespace ceiba
