// Gradients and hessians of a round as integers.
//
// The life of a quantization, for each tree:
//   1. measure_rows(): the largest |gradient| and hessian of the selected rows. Where rows lie in
//      several places, what was measured there is merged.
//   2. choose_packing() makes units of them, powers of two, and a form (packing.hpp). It hands out an
//      order to pack the rows by, and where a heavy tail (largest far above the mean) has rounded the
//      typical row away, a second one for the wide form.
//   3. pack_rows() gives every selected row its word or pair. Rows that are not selected keep what
//      they had and are never read.
#pragma once

#include "base/buffer.hpp"
#include "gradient/packing.hpp"
#include "gradient/row_selection.hpp"

#include <cstdint>
#include <functional>

namespace ceiba {

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

    void merge(const Extent& other);
};

// What is known of the selected rows before they are packed.
struct Measured {
    Extent extent;
    std::int64_t n_rows = 0, repeats = 0; // repeats: rows of whole weight k count k times

    void merge(const Measured& other);
};

// How rows are to be packed.
struct PackOrder {
    Packing packing;
    double gradient_scale = 1, hessian_scale = 1;
    double gradient_limit = 0, hessian_limit = 0; // of scaled values
    bool keep_hessian = true;
    int output = 0; // of several that share the tree: whose rows these are
};

// What shows a heavy tail: the sum of |value|, and how many became 0.
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

// The words of rows, where they lie.
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
    // The word of a plane of it, of n_rows rows.
    std::uint64_t word(std::int64_t row, int plane, std::int64_t n_rows) const {
        if (packing.form == Form::planes)
            return words[static_cast<std::size_t>(plane * n_rows + row)];
        const Pair pair = of_row(row);
        return plane == 0 ? pair.first : pair.rest;
    }
    // Takes the gradients of pairs, as words.
    void take_gradients(const Quantized& pairs, std::int64_t n_rows, int n_threads);
};

// What a grower knows of the packed rows of its tree.
struct Packed {
    Packing packing;
    Sums total;
    Measured measured;
};

Measured measure_rows(const GradientView& view, const RowSelection& selection, int n_threads);

PackSums pack_rows(const GradientView& view, const RowSelection& selection, const PackOrder& order,
                   int n_threads, Quantized& out);

// `measured` is that of all rows, `weights` are their facts, and constant_hessian is read where
// hessians are constant. `fine` asks for sums that choose as unrounded ones would: hessians that
// differ from row to row take the wide form. So they do where rows are few (at most kPackedRows) and
// nothing is added to the hessians of a leaf that would hide how small ones are rounded: a `penalty`
// below a sixteenth of the largest. `centers`: gains do not change when a number is added to all
// gradients, so heavy tails may take the centered form. `pack` packs all rows by an order and returns
// their sums.
//
// Gradients that are not finite, negative hessians and sums that could overflow are errors.
Packed choose_packing(const Measured& measured, const WeightFacts& weights, bool constant_hessian,
                      double hessian, bool fine, double penalty, bool centers,
                      const std::function<PackSums(const PackOrder&)>& pack);

// The same for one of the outputs that share a tree: the wide form, as fine as it is.
Packed pack_output(const Measured& measured, const WeightFacts& weights, bool constant_hessian,
                   double hessian, const Outputs& outputs, int output, bool centers,
                   const std::function<PackSums(const PackOrder&)>& pack);

// The errors of choose_packing().
void check_extent(const Extent& extent, double repeats);

// 2^exponent.
double power_of_two(int exponent);
// The smallest e with value < 2^e (value > 0 and finite).
int exponent_above(double value);
// The number of bits that hold value.
int bits_for(std::uint64_t value);

} // namespace ceiba
