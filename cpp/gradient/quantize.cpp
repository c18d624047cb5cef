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

// Sums of gradients stay below 2^51, so that they turn into doubles exactly and in vector code.
constexpr int kSumBits = 51;
// Levels of the packed form: 2^14 for the gradient, 2^12 for the hessian.
constexpr int kPackedGradientLevels = 14, kPackedHessianLevels = 12;
// A mean below this many units leaves too little of the typical row.
constexpr std::int64_t kFewestUnits = 8;
// With a constant hessian a single word serves up to this many rows: 25 bits of count, 38 of
// gradient.
constexpr std::int64_t kMostSingleRows = std::int64_t{1} << 24;
// Whole weights above this make blocks of the packed form too short to pay.
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

Extent measure_all(const PackJob& job, std::int64_t n, int n_threads) {
    const auto measure = kernels().measure;
    Extent all;
    for (const Extent& part :
         parts_of_rows(n, n_threads, [&](std::int64_t begin, std::int64_t end) {
             return measure(job, begin, end);
         })) {
        all.gradient = std::max(all.gradient, part.gradient);
        all.hessian = std::max(all.hessian, part.hessian);
        all.finite = all.finite && part.finite;
        all.negative = all.negative || part.negative;
    }
    return all;
}

PackSums pack_all(const PackJob& job, std::int64_t n, int n_threads) {
    const auto pack = kernels().pack;
    PackSums all;
    for (const PackSums& part :
         parts_of_rows(n, n_threads, [&](std::int64_t begin, std::int64_t end) {
             return pack(job, begin, end);
         })) {
        all.sums += part.sums;
        all.gradient += part.gradient;
        all.hessian += part.hessian;
    }
    return all;
}

void check(const Extent& extent, double repeats) {
    if (!extent.finite)
        throw InputError("gradients and hessians must be finite. Got NaN or an infinite value from "
                         "the objective. "
                         "Look for extreme targets, weights or init scores, or for a custom "
                         "objective that overflows.");
    if (extent.negative)
        throw InputError(
            "hessians must not be negative. Got at least one below zero. "
            "A custom objective should return an upper bound of the curvature instead.");
    // Gains are squares of sums of gradients.
    if (extent.gradient * repeats > 0x1p511)
        throw InputError("gradients are too large: their sum could reach 1e153 and its square "
                         "overflow. Got a gradient of " +
                         shown(extent.gradient) +
                         ". Divide the target (or the weights) by a constant.");
}

// Whether a heavy tail has rounded the typical row away: the mean is a few units, or three rows of
// four became 0.
bool rounds_away(const TailFacts& facts, std::int64_t repeats) {
    return facts.absolute < kFewestUnits * repeats || 4 * facts.zeros > 3 * repeats;
}

// Units that put the largest value just below 2^levels.
void set_units(const Extent& extent, int gradient_levels, int hessian_levels, PackJob& job,
               Packing& packing) {
    const int g = extent.gradient > 0 ? gradient_levels - exponent_above(extent.gradient) : 0;
    const int h = extent.hessian > 0 ? hessian_levels - exponent_above(extent.hessian) : 0;
    // A scale beyond the range of doubles would be infinite; such gradients are zero for every
    // purpose.
    job.gradient_scale = power_of_two(std::clamp(g, -1000, 1000));
    job.hessian_scale = power_of_two(std::clamp(h, -1000, 1000));
    job.gradient_limit = power_of_two(gradient_levels) - 1;
    job.hessian_limit = power_of_two(hessian_levels) - 1;
    packing.gradient_unit = 1 / job.gradient_scale;
    packing.hessian_unit = packing.constant_hessian ? job.constant_hessian : 1 / job.hessian_scale;
}

PackJob job_of(const GradientView& view, const WeightFacts& weights) {
    PackJob job{};
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

WeightFacts WeightFacts::of(const double* weights, std::int64_t n_rows, bool weighted_counts) {
    WeightFacts facts;
    facts.weights = weights;
    if (weights == nullptr) return facts;
    // More repeats than this leave too few bits for one row; such weights are as good as real
    // numbers.
    constexpr double kMostWhole = 0x1p30;
    double sum = 0; // exact while the weights are whole and the sum is below 2^53
    double largest = 0;
    for (std::int64_t i = 0; i < n_rows; ++i) {
        const double w = weights[i];
        if (!(w > 0) || !std::isfinite(w))
            throw InputError("weights must be positive and finite where rows are grown. Got " +
                             shown(w) + ".");
        largest = std::max(largest, w);
        if (facts.whole && (w != std::floor(w) || (sum += w) >= kMostWhole)) facts.whole = false;
    }
    facts.largest = largest;
    facts.counted = facts.whole && weighted_counts;
    return facts;
}

Extent extent_of(const GradientView& view, const WeightFacts& weights,
                 std::span<const std::int32_t> rows, bool all_rows, double repeats, int n_threads) {
    PackJob job = job_of(view, weights);
    job.rows = all_rows ? nullptr : rows.data();
    const Extent extent = measure_all(
        job, all_rows ? view.n_rows : static_cast<std::int64_t>(rows.size()), n_threads);
    check(extent, repeats);
    return extent;
}

void quantize(const GradientView& view, const WeightFacts& weights,
              std::span<const std::int32_t> rows, bool all_rows, bool fine, double penalty,
              int n_threads, Quantized& out) {
    const std::int64_t n = all_rows ? view.n_rows : static_cast<std::int64_t>(rows.size());
    PackJob job = job_of(view, weights);
    job.rows = all_rows ? nullptr : rows.data();

    const Extent extent = measure_all(job, n, n_threads);

    // Rows as the sums see them: a row of weight k stands k times.
    std::int64_t repeats = n;
    if (job.multiply_after) {
        repeats = 0;
        for (std::int64_t i = 0; i < n; ++i)
            repeats += static_cast<std::int64_t>(
                weights.weights[all_rows ? i : rows[static_cast<std::size_t>(i)]]);
    }

    check(extent, static_cast<double>(repeats));

    Packing packing;
    packing.constant_hessian =
        view.hessians == nullptr && (weights.weights == nullptr || weights.counted);
    job.keep_hessian = !packing.constant_hessian;
    const int repeat_bits = bits_for(static_cast<std::uint64_t>(repeats));

    auto run = [&] {
        job.count_bits = packing.form == Form::packed ? kPackedCountBits : packing.count_bits;
        job.hessian_bits = packing.form == Form::packed ? kPackedHessianBits : packing.hessian_bits;
        const auto size = static_cast<std::size_t>(view.n_rows);
        if (packing.form == Form::wide) {
            out.pairs.need(size);
            job.pairs = out.pairs.data();
        } else {
            out.words.need(size);
            job.words = out.words.data();
            job.pairs = nullptr;
        }
        return pack_all(job, n, n_threads);
    };

    const int pair_hessian_bits = std::min(64 - repeat_bits, kSumBits);
    const bool fits_single =
        packing.constant_hessian ? repeats <= kMostSingleRows : repeats <= kPackedRows;
    packing.count_bits = repeat_bits;
    fine = fine || (repeats <= kPackedRows && penalty < extent.hessian / 16);
    auto set_wide = [&] {
        packing.form = Form::wide;
        packing.hessian_bits = 64 - repeat_bits;
        set_units(extent, std::min(kSumBits - repeat_bits, 40),
                  std::min(pair_hessian_bits - repeat_bits, 40), job, packing);
    };
    if (fine && (job.keep_hessian || !fits_single)) {
        set_wide();
    } else if (fits_single) {
        packing.form = Form::single;
        const int free_bits = 64 - repeat_bits;
        packing.hessian_bits = packing.constant_hessian ? 0 : free_bits * 24 / 51;
        const int gradient_bits = std::min(free_bits - packing.hessian_bits - 1, kSumBits);
        set_units(extent, std::min(gradient_bits - repeat_bits, 40),
                  std::max(packing.hessian_bits - repeat_bits, 1), job, packing);
    } else {
        packing.hessian_bits = 64 - repeat_bits;
        const int coarse_hessian = std::min(kPackedHessianLevels, pair_hessian_bits - repeat_bits);
        if (job.keep_hessian && coarse_hessian < 4)
            throw InputError("trees with hessians that differ from row to row can be grown on at "
                             "most 1,073,741,823 rows. Got " +
                             std::to_string(repeats) + ". Train on fewer rows.");
        const bool short_blocks = weights.multiply_after() && weights.largest > kMostPackedWeight;
        packing.form = short_blocks ? Form::wide : Form::packed;
        packing.block_rows = std::max<std::int64_t>(
            1, kPackedRows >> (weights.multiply_after()
                                   ? bits_for(static_cast<std::uint64_t>(weights.largest) - 1)
                                   : 0));
        set_units(extent, kPackedGradientLevels, coarse_hessian, job, packing);
    }
    PackSums sums = run();
    const bool heavy_gradient = extent.gradient > 0 && rounds_away(sums.gradient, repeats);
    const bool heavy_hessian =
        job.keep_hessian && extent.hessian > 0 && rounds_away(sums.hessian, repeats);
    if (packing.form != Form::wide || !fine) {
        if (heavy_gradient || heavy_hessian) {
            set_wide();
            sums = run();
        }
    }
    out.packing = packing;
    out.extent = extent;
    out.repeats = static_cast<double>(repeats);
    out.total = sums.sums;
    if (packing.constant_hessian) out.total.hessian = out.total.count;
    switch (packing.form) {
    case Form::single:
        count(counters().single_trees);
        break;
    case Form::packed:
        count(counters().packed_trees);
        break;
    case Form::wide:
        count(counters().wide_trees);
        break;
    }
}

} // namespace ceiba
