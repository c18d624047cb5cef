#include "gradient/quantize.hpp"

#include "base/cpu.hpp"
#include "base/errors.hpp"
#include "gradient/quantize_kernels.hpp"
#include "parallel/rows.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

namespace ceiba {

namespace {

// Sums of gradients stay below 2^51, so that their conversion to double is exact and vectorizes.
constexpr int kSumBits = 51;
// Levels of the packed form: 2^14 for the gradient, 2^12 for the hessian.
constexpr int kPackedGradientLevels = 14, kPackedHessianLevels = 12;
// A smaller mean, in units, would round typical rows too coarsely.
constexpr std::int64_t kFewestUnits = 8;
// Centered sums: bits of the largest sum, and of the largest gradient (which rounding limits).
constexpr int kCenteredSumBits = 61, kCenteredLevels = 50;
// The largest gradient is so many times the mean where sums are centered: 4 in normal numbers, 10
// to 20 in exponential ones.
constexpr double kHeavyTail = 64;
// With a constant hessian a single word serves up to this many rows: 25 bits of count, 38 of
// gradient.
constexpr std::int64_t kMostSingleRows = std::int64_t{1} << 24;
// Integer weights above this make blocks of the packed form too short to be worthwhile.
constexpr double kMostPackedWeight = 8;

struct Kernels {
    Extent (*measure)(const PackJob&, std::int64_t, std::int64_t);
    PackSums (*pack)(const PackJob&, std::int64_t, std::int64_t);
};

Kernels kernels() {
    return use_avx2() ? Kernels{avx2::measure, avx2::pack}
                      : Kernels{baseline::measure, baseline::pack};
}

std::string shown(double value) {
    char text[40];
    std::snprintf(text, sizeof text, "%g", value);
    return text;
}

} // namespace

void check_extent(const Extent& extent, double repeats) {
    if (!extent.finite)
        throw InputError("Gradients and hessians must be finite. Got NaN or an infinite value from "
                         "the objective. "
                         "Look for extreme targets, weights or init scores, or for a custom "
                         "objective that overflows.");
    if (extent.negative)
        throw InputError(
            "Hessians must not be negative. Got at least one below zero. "
            "A custom objective should return an upper bound of the curvature instead.");
    // Gains are squares of sums of gradients.
    if (extent.gradient * repeats > 0x1p511)
        throw InputError("Gradients are too large: their sum could reach 1e153 and its square "
                         "overflow. Got a gradient of " +
                         shown(extent.gradient) +
                         ". Divide the target (or the weights) by a constant.");
}

namespace {

// Whether a heavy tail makes the rounding of typical rows too coarse: the mean is a few units, or
// three of four rows became 0.
bool rounds_away(const TailFacts& facts, std::int64_t repeats) {
    return facts.absolute < kFewestUnits * repeats || 4 * facts.zeros > 3 * repeats;
}

// Units such that the largest value is just below 2^levels.
void set_units(const Extent& extent, int gradient_levels, int hessian_levels,
               double constant_hessian, PackOrder& order) {
    const int g = extent.gradient > 0 ? gradient_levels - exponent_above(extent.gradient) : 0;
    const int h = extent.hessian > 0 ? hessian_levels - exponent_above(extent.hessian) : 0;
    // A scale beyond the range of doubles would be infinite; such tiny gradients are treated as
    // zero.
    order.gradient_scale = power_of_two(std::clamp(g, -1000, 1000));
    order.hessian_scale = power_of_two(std::clamp(h, -1000, 1000));
    order.gradient_limit = power_of_two(gradient_levels) - 1;
    order.hessian_limit = power_of_two(hessian_levels) - 1;
    Packing& packing = order.packing;
    packing.gradient_unit = 1 / order.gradient_scale;
    packing.hessian_unit = packing.constant_hessian ? constant_hessian : 1 / order.hessian_scale;
}

PackJob job_of(const GradientView& view, const RowSelection& selection) {
    const WeightFacts& weights = selection.weights;
    PackJob job{};
    job.rows = selection.all ? nullptr : selection.rows.data();
    job.gradients = view.gradients;
    job.hessians = view.hessians;
    job.weights = weights.weights;
    job.constant_hessian = view.constant_hessian;
    job.multiply_before = weights.multiply_before();
    job.multiply_after = weights.multiply_after();
    job.counted = weights.counted;
    return job;
}

} // namespace

double power_of_two(int exponent) {
    return std::ldexp(1.0, exponent);
}

int exponent_above(double value) {
    int exponent = 0;
    std::frexp(value, &exponent);
    return exponent;
}

int bits_for(std::uint64_t value) {
    return static_cast<int>(std::bit_width(value));
}

void Extent::merge(const Extent& other) {
    gradient = std::max(gradient, other.gradient);
    hessian = std::max(hessian, other.hessian);
    finite = finite && other.finite;
    negative = negative || other.negative;
}

void Measured::merge(const Measured& other) {
    extent.merge(other.extent);
    n_rows += other.n_rows;
    repeats += other.repeats;
}

void Quantized::take_gradients(const Quantized& from, std::int64_t n_rows, int n_threads) {
    packing = from.packing;
    words.need(static_cast<std::size_t>(n_rows));
    over_rows(n_rows, n_threads, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t i = begin; i < end; ++i)
            words[static_cast<std::size_t>(i)] = from.pairs[static_cast<std::size_t>(i)].first;
    });
}

Measured measure_rows(const GradientView& view, const RowSelection& selection, int n_threads) {
    const PackJob job = job_of(view, selection);
    const auto measure = kernels().measure;
    Measured all;
    all.n_rows = all.repeats = selection.size(view.n_rows);
    for (const Extent& part :
         parts_of_rows(all.n_rows, n_threads, [&](std::int64_t begin, std::int64_t end) {
             return measure(job, begin, end);
         }))
        all.extent.merge(part);
    if (job.multiply_after) {
        all.repeats = 0;
        for (std::int64_t i = 0; i < all.n_rows; ++i)
            all.repeats += static_cast<std::int64_t>(
                job.weights[selection.all ? i : selection.rows[static_cast<std::size_t>(i)]]);
    }
    return all;
}

PackSums pack_rows(const GradientView& view, const RowSelection& selection, const PackOrder& order,
                   int n_threads, Quantized& out) {
    const Packing& packing = out.packing = order.packing;
    PackJob job = job_of(view, selection);
    job.gradient_scale = order.gradient_scale;
    job.hessian_scale = order.hessian_scale;
    job.gradient_limit = order.gradient_limit;
    job.hessian_limit = order.hessian_limit;
    job.keep_hessian = order.keep_hessian;
    job.count_bits = packing.form == Form::packed ? kPackedCountBits : packing.count_bits;
    job.hessian_bits = packing.form == Form::packed ? kPackedHessianBits : packing.hessian_bits;
    const auto size = static_cast<std::size_t>(view.n_rows);
    if (packing.form == Form::wide) {
        out.pairs.need(size);
        job.pairs = out.pairs.data();
    } else {
        out.words.need(size);
        job.words = out.words.data();
    }
    const auto pack = kernels().pack;
    PackSums all;
    for (const PackSums& part :
         parts_of_rows(selection.size(view.n_rows), n_threads,
                       [&](std::int64_t begin, std::int64_t end) { return pack(job, begin, end); }))
        all.merge(part);
    return all;
}

namespace {

// The part of an order that is the same for every form.
PackOrder first_order(const Measured& measured, const WeightFacts& weights, bool constant_hessian) {
    check_extent(measured.extent, static_cast<double>(measured.repeats));
    PackOrder order;
    order.packing.constant_hessian =
        constant_hessian && (weights.weights == nullptr || weights.counted);
    order.keep_hessian = !order.packing.constant_hessian;
    order.packing.count_bits = bits_for(static_cast<std::uint64_t>(measured.repeats));
    return order;
}

void set_wide(const Measured& measured, double hessian, PackOrder& order) {
    const int repeat_bits = order.packing.count_bits;
    order.packing.form = Form::wide;
    order.packing.hessian_bits = 64 - repeat_bits;
    set_units(measured.extent, std::min(kSumBits - repeat_bits, 40),
              std::min(std::min(64 - repeat_bits, kSumBits) - repeat_bits, 40), hessian, order);
}

// Packs the rows once more, as centered sums, where the largest gradient is far above the mean.
bool pack_centered(const Measured& measured, double hessian, PackOrder& order, PackSums& sums,
                   const std::function<PackSums(const PackOrder&)>& pack) {
    const double mean = static_cast<double>(sums.gradient.absolute) * order.packing.gradient_unit /
                        static_cast<double>(measured.repeats);
    if (!order.packing.constant_hessian || !(measured.extent.gradient > kHeavyTail * mean))
        return false;
    set_wide(measured, hessian, order);
    set_units(measured.extent,
              std::min(kCenteredSumBits - order.packing.count_bits, kCenteredLevels), 1, hessian,
              order);
    order.packing.centered = true;
    sums = pack(order);
    return true;
}

Packed packed_as(const PackOrder& order, const PackSums& sums, const Measured& measured) {
    const Packing& packing = order.packing;
    Packed packed{packing, sums.sums, measured};
    if (packing.constant_hessian) packed.total.hessian = packed.total.count;
    count(packing.form == Form::single   ? counters().single_trees
          : packing.form == Form::packed ? counters().packed_trees
                                         : counters().wide_trees);
    return packed;
}

} // namespace

Packed pack_output(const Measured& measured, const WeightFacts& weights, bool constant_hessian,
                   double hessian, const Outputs& outputs, int output, bool centers,
                   const std::function<PackSums(const PackOrder&)>& pack) {
    PackOrder order = first_order(measured, weights, constant_hessian);
    set_wide(measured, hessian, order);
    order.packing.outputs = outputs;
    order.output = output;
    PackSums sums = pack(order);
    if (centers) pack_centered(measured, hessian, order, sums, pack);
    return packed_as(order, sums, measured);
}

Packed choose_packing(const Measured& measured, const WeightFacts& weights, bool constant_hessian,
                      double hessian, bool fine, double penalty, bool centers,
                      const std::function<PackSums(const PackOrder&)>& pack) {
    const Extent& extent = measured.extent;
    const std::int64_t repeats = measured.repeats;
    PackOrder order = first_order(measured, weights, constant_hessian);
    Packing& packing = order.packing;
    const int repeat_bits = packing.count_bits;
    const int pair_hessian_bits = std::min(64 - repeat_bits, kSumBits);
    const bool fits_single =
        packing.constant_hessian ? repeats <= kMostSingleRows : repeats <= kPackedRows;
    fine = fine || (repeats <= kPackedRows && penalty < extent.hessian / 16);
    if (fine && (order.keep_hessian || !fits_single)) {
        set_wide(measured, hessian, order);
    } else if (fits_single) {
        packing.form = Form::single;
        const int free_bits = 64 - repeat_bits;
        packing.hessian_bits = packing.constant_hessian ? 0 : free_bits * 24 / 51;
        const int gradient_bits = std::min(free_bits - packing.hessian_bits - 1, kSumBits);
        set_units(extent, std::min(gradient_bits - repeat_bits, 40),
                  std::max(packing.hessian_bits - repeat_bits, 1), hessian, order);
    } else {
        packing.hessian_bits = 64 - repeat_bits;
        const int coarse_hessian = std::min(kPackedHessianLevels, pair_hessian_bits - repeat_bits);
        if (order.keep_hessian && coarse_hessian < 4)
            throw InputError("Trees with hessians that differ from row to row can be grown on at "
                             "most 1,073,741,823 rows. Got " +
                             std::to_string(repeats) + ". Train on fewer rows.");
        const bool short_blocks = weights.multiply_after() && weights.largest > kMostPackedWeight;
        packing.form = short_blocks ? Form::wide : Form::packed;
        packing.block_rows = std::max<std::int64_t>(
            1, kPackedRows >> (weights.multiply_after()
                                   ? bits_for(static_cast<std::uint64_t>(weights.largest) - 1)
                                   : 0));
        set_units(extent, kPackedGradientLevels, coarse_hessian, hessian, order);
    }
    PackSums sums = pack(order);
    if (centers && pack_centered(measured, hessian, order, sums, pack))
        return packed_as(order, sums, measured);
    const bool heavy_gradient = extent.gradient > 0 && rounds_away(sums.gradient, repeats);
    const bool heavy_hessian =
        order.keep_hessian && extent.hessian > 0 && rounds_away(sums.hessian, repeats);
    if ((packing.form != Form::wide || !fine) && (heavy_gradient || heavy_hessian)) {
        set_wide(measured, hessian, order);
        sums = pack(order);
    }
    return packed_as(order, sums, measured);
}

} // namespace ceiba
