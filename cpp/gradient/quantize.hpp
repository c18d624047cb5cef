// Quantizes the gradients and hessians of a round to integers.
//
// The life of a quantization, for each tree:
//   1. measure_rows(): the largest |gradient| and hessian of the selected rows. Measurements of
//      several shards are merged.
//   2. choose_packing() chooses the units, powers of two, and a form (packing.hpp). It requests
//      packing with an order and, if a heavy tail (largest value far above the mean) makes the
//      rounding of typical rows too coarse, a second time with the wide form.
//   3. pack_rows() computes the word or pair of every selected row. Words of other rows are not
//      changed and never read.
#pragma once

#include "base/buffer.hpp"
#include "gradient/packing.hpp"
#include "gradient/row_selection.hpp"

#include <cstdint>
#include <functional>

namespace ceiba {

// The gradients of one tree, as the objective returned them.
struct GradientView {
    const double* gradients = nullptr;
    const double* hessians = nullptr; // null: constant_hessian for every row
    double constant_hessian = 1;
    std::int64_t n_rows = 0;
    int output = 0; // index among the gradients of the round
};

// The largest |gradient| and the largest hessian, multiplied by the weights if these are not
// integers.
struct Extent {
    double gradient = 0, hessian = 0;
    bool finite = true, negative = false;

    void merge(const Extent& other);
};

// Facts about the selected rows before packing.
struct Measured {
    Extent extent;
    // repeats: the number of rows, where integer weight k counts as k
    std::int64_t n_rows = 0, repeats = 0;

    void merge(const Measured& other);
};

// How to pack rows.
struct PackOrder {
    Packing packing;
    double gradient_scale = 1, hessian_scale = 1;
    double gradient_limit = 0, hessian_limit = 0; // of scaled values
    bool keep_hessian = true;
    int output = 0; // index among outputs that share the tree
};

// Indicators of a heavy tail: the sum of |value|, and the number of values that became 0.
struct TailFacts {
    std::int64_t absolute = 0, zeros = 0;

    TailFacts& operator+=(const TailFacts& other) {
        absolute += other.absolute;
        zeros += other.zeros;
        return *this;
    }
};

struct PackSums {
    Sums sums;
    TailFacts gradient, hessian;

    void merge(const PackSums& other) {
        sums += other.sums;
        gradient += other.gradient;
        hessian += other.hessian;
    }
};

// The words of rows in memory.
struct Quantized {
    Packing packing;
    Buffer<std::uint64_t> words; // single and packed; planes: one plane of all rows after the other
    Buffer<Pair> pairs;          // wide

    // The words that a row adds to a bin.
    Pair of_row(std::int64_t row) const {
        const auto i = static_cast<std::size_t>(row);
        if (packing.form == Form::single) return {words[i], 0};
        return packing.form == Form::wide ? pairs[i] : spread(words[i], packing.count_bits);
    }
    // The row's word in one plane, for n_rows rows.
    std::uint64_t word(std::int64_t row, int plane, std::int64_t n_rows) const {
        if (packing.form == Form::planes)
            return words[static_cast<std::size_t>(plane * n_rows + row)];
        const Pair pair = of_row(row);
        return plane == 0 ? pair.first : pair.rest;
    }
    // Take only the gradients of pairs, as words.
    void take_gradients(const Quantized& pairs, std::int64_t n_rows, int n_threads);
};

// The packed rows of a tree as the grower knows them.
struct Packed {
    Packing packing;
    Sums total;
    Measured measured;
};

Measured measure_rows(const GradientView& view, const RowSelection& selection, int n_threads);

PackSums pack_rows(const GradientView& view, const RowSelection& selection, const PackOrder& order,
                   int n_threads, Quantized& out);

// `measured` is for all rows, `weights` are their facts, and constant_hessian applies if hessians
// are constant. `fine` requests sums that choose the same splits as unrounded ones: hessians that
// differ between rows then use the wide form. So they do if rows are few (at most kPackedRows) and
// the `penalty` on the hessian of a leaf is below 1/16 of the largest hessian, too small to hide
// the rounding of small hessians. `centers`: gains do not change when a constant is added to all
// gradients, so heavy tails may take the centered form. `pack` packs all rows by an order and
// returns their sums.
//
// Throws InputError if gradients are not finite, hessians are negative or sums could overflow.
Packed choose_packing(const Measured& measured, const WeightFacts& weights, bool constant_hessian,
                      double hessian, bool fine, double penalty, bool centers,
                      const std::function<PackSums(const PackOrder&)>& pack);

// The same for one of the outputs that share a tree: always in the wide form, with its full
// precision.
Packed pack_output(const Measured& measured, const WeightFacts& weights, bool constant_hessian,
                   double hessian, const Outputs& outputs, int output, bool centers,
                   const std::function<PackSums(const PackOrder&)>& pack);

// Throws the errors of choose_packing().
void check_extent(const Extent& extent, double repeats);

// 2^exponent.
double power_of_two(int exponent);
// The smallest e with value < 2^e (value > 0 and finite).
int exponent_above(double value);
// The number of bits that hold value.
int bits_for(std::uint64_t value);

} // namespace ceiba
