// A walk along a sorted column: rows move to the left child one value after the other.
//
// Sums stay in the form of rows and bins (a word or a pair). Where the value changes, the gain follows
// by the same operations as in the histogram scan, and has the same bits.
#pragma once

#include "gradient/quantize.hpp"
#include "split/scan.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace ceiba {

// The gain of sending `left` left; `invalid` where a child would break a minimum, or the children
// the direction of the column.
static inline double gain_of(const ColumnScan& scan, const Sums& left, const Sums& added,
                             double invalid) {
    const Packing& packing = *scan.packing;
    const GainRule& rule = *scan.rule;
    const double hessian_unit = packing.hessian_unit;
    const std::int64_t center = center_of(scan.total, packing);
    const double gradient_left =
                     real_gradient(left, packing, center) + real_gradient(added, packing, center),
                 gradient_right = real_gradient(scan.total, packing, center) - gradient_left;
    const double hessian_left = static_cast<double>(left.hessian) * hessian_unit +
                                static_cast<double>(added.hessian) * hessian_unit,
                 hessian_right =
                     static_cast<double>(scan.total.hessian) * hessian_unit - hessian_left;
    const auto count_left = static_cast<double>(left.count + added.count),
               count_right = static_cast<double>(scan.total.count) - count_left;
    if (count_left < rule.min_count || count_right < rule.min_count ||
        !(hessian_left >= rule.min_child_weight) || !(hessian_right >= rule.min_child_weight))
        return invalid;
    if (rule.bounded) {
        const double one = bounded_step(gradient_left, hessian_left, rule, scan.bounds),
                     other = bounded_step(gradient_right, hessian_right, rule, scan.bounds);
        if ((scan.direction > 0 && one > other) || (scan.direction < 0 && one < other))
            return invalid;
        return fall(gradient_left, hessian_left, one, rule) +
               fall(gradient_right, hessian_right, other, rule) - scan.parent_score;
    }
    return unbounded_score(gradient_left, hessian_left, rule) +
           unbounded_score(gradient_right, hessian_right, rule) - scan.parent_score;
}

// A row of a node, in a bin that was opened: the rank in the upper half of a word, which sorts
// faster than a pair does, and the row in the lower.
class RankedRow {
  public:
    RankedRow() = default;
    RankedRow(std::uint32_t rank, std::int32_t row)
        : word_((std::uint64_t{rank} << 32) | static_cast<std::uint32_t>(row)) {}

    std::uint32_t rank() const { return static_cast<std::uint32_t>(word_ >> 32); }
    std::int32_t row() const { return static_cast<std::int32_t>(word_); }
    friend bool operator<(RankedRow a, RankedRow b) { return a.word_ < b.word_; }

  private:
    std::uint64_t word_ = 0;
};

// The words of rows: those of the first output, and the gradients of others that share the tree.
struct OutputRows {
    const Quantized* first = nullptr;
    std::span<const Quantized> more;

    std::size_t n_outputs() const { return 1 + more.size(); }
    // Of an output: its gradient, with the hessian and count that are everybody's.
    Pair of_row(std::size_t output, std::int64_t row) const {
        Pair words = first->of_row(row);
        if (output > 0) words.first = more[output - 1].words[static_cast<std::size_t>(row)];
        return words;
    }
};

// Sums of all bins below each bin, and of all of them.
std::vector<Pair> sums_before(const ColumnScan& scan);

// The thresholds inside of bins of one column of one node, whose gain is the sum of those of all
// outputs.
class ColumnWalk {
  public:
    // `scans`: of each output.
    ColumnWalk(std::vector<ColumnScan> scans, const OutputRows& rows,
               std::span<const std::uint32_t> first_ranks);

    // Tries every change of value within a bin. `rows`: all rows of the node in some bins, by rank.
    void walk(std::span<const RankedRow> rows, Split& best) const;

  private:
    struct Values;
    void find_gains(Values& values, std::size_t n, int bin) const;
    void try_values(Values& values, std::size_t n, int bin, Split& best) const;

    std::vector<ColumnScan> scans_;
    OutputRows rows_;
    std::span<const std::uint32_t> first_ranks_; // of each bin, and the end
    std::vector<std::vector<Pair>> before_;      // of each output
    std::vector<Sums> missing_;                  // of each output
};

} // namespace ceiba
