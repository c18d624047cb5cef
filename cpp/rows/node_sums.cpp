#include "rows/node_sums.hpp"

#include "base/settings.hpp"
#include "parallel/pool.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace ceiba {

namespace {

// Fixed-point sums of one quantity per node.
struct Scale {
    double scale = 1, unit = 1;

    Scale(double largest, double repeats) {
        if (!(largest > 0)) return;
        const int exponent =
            std::clamp(62 - exponent_above(repeats) - exponent_above(largest), -1000, 1000);
        scale = power_of_two(exponent);
        unit = power_of_two(-exponent);
    }
};

// What the leaves are summed from. A weight multiplies a gradient before it is rounded, or, where
// weights are whole, the rounded one.
struct RowSource {
    const GradientView& view;
    const WeightFacts& weights;
    Scale gradient, hessian;
    bool sum_hessians;
};

// Two tables, for even and odd rows: neighbours are often in one leaf, and an addition to the same
// place would wait for the one before it.
struct TwoTables {
    std::vector<Sums> even, odd;

    explicit TwoTables(std::size_t n_nodes) : even(n_nodes), odd(n_nodes) {}

    std::vector<Sums> together() && {
        for (std::size_t i = 0; i < even.size(); ++i) even[i] += odd[i];
        return std::move(even);
    }
};

template <bool kHessians, bool kBefore, bool kAfter, class Number>
void add_row(const RowSource& source, const Number* leaves, std::int64_t i, Sums* sums) {
    if (leaves[i] == LeafOfRow::none<Number>) return;
    Sums& own = sums[leaves[i]];
    const GradientView& view = source.view;
    const double factor = kBefore ? source.weights.weights[i] : 1.0;
    const std::int64_t times =
        kAfter ? static_cast<std::int64_t>(source.weights.weights[i]) : std::int64_t{1};
    own.gradient += std::llrint(view.gradients[i] * factor * source.gradient.scale) * times;
    if constexpr (kHessians) {
        const double h = view.hessians != nullptr ? view.hessians[i] : view.constant_hessian;
        own.hessian += std::llrint(h * factor * source.hessian.scale) * times;
    } else {
        own.count += times;
    }
}

template <bool kHessians, bool kBefore, bool kAfter>
std::vector<Sums> sum_leaves(const RowSource& source, const LeafOfRow& leaf_of_row,
                             std::size_t n_nodes, std::int64_t begin, std::int64_t end) {
    TwoTables tables(n_nodes);
    leaf_of_row.with_numbers([&](const auto* leaves) {
        std::int64_t i = begin;
        for (; i + 1 < end; i += 2) {
            add_row<kHessians, kBefore, kAfter>(source, leaves, i, tables.even.data());
            add_row<kHessians, kBefore, kAfter>(source, leaves, i + 1, tables.odd.data());
        }
        if (i < end) add_row<kHessians, kBefore, kAfter>(source, leaves, i, tables.even.data());
    });
    return std::move(tables).together();
}

using SumLeaves = std::vector<Sums> (*)(const RowSource&, const LeafOfRow&, std::size_t,
                                        std::int64_t, std::int64_t);

SumLeaves sum_leaves_of(const RowSource& source) {
    if (source.weights.multiply_before()) return sum_leaves<true, true, false>;
    if (source.weights.multiply_after())
        return source.sum_hessians ? sum_leaves<true, false, true> : sum_leaves<false, false, true>;
    return source.sum_hessians ? sum_leaves<true, false, false> : sum_leaves<false, false, false>;
}

} // namespace

Extent extent_of_rows(const PlacedRows& placed, const GradientView& view,
                      const WeightFacts& weights, int n_threads) {
    std::vector<std::int32_t> rows;
    const bool all_rows = placed.n_placed == view.n_rows;
    if (!all_rows)
        placed.leaf_of_row->with_numbers([&]<class Number>(const Number* leaves) {
            for (std::int64_t i = 0; i < view.n_rows; ++i)
                if (leaves[i] != LeafOfRow::none<Number>)
                    rows.push_back(static_cast<std::int32_t>(i));
        });
    return extent_of(view, weights, rows, all_rows, placed.repeats, n_threads);
}

std::vector<NodeSum> sum_nodes(const PlacedRows& placed, const GradientView& view,
                               const WeightFacts& weights, const Extent& extent, int n_threads) {
    const std::size_t n_nodes = placed.parents.size();
    const RowSource source{view,
                           weights,
                           {extent.gradient, placed.repeats},
                           {extent.hessian, placed.repeats},
                           sums_hessians(view, weights)};
    const SumLeaves sum = sum_leaves_of(source);

    const std::int64_t n = view.n_rows, size = settings().chunk_rows;
    // Few chunks: each keeps sums for every node.
    const int threads = useful_threads(n_threads, n);
    const std::int64_t n_chunks =
        threads > 1 ? std::min<std::int64_t>(threads, (n + size - 1) / size) : 1;
    std::vector<std::vector<Sums>> parts(static_cast<std::size_t>(n_chunks));
    parallel_for(threads, n_chunks, [&](std::int64_t c) {
        parts[static_cast<std::size_t>(c)] =
            sum(source, *placed.leaf_of_row, n_nodes, n * c / n_chunks, n * (c + 1) / n_chunks);
    });
    std::vector<Sums> sums = std::move(parts[0]);
    for (std::size_t c = 1; c < parts.size(); ++c)
        for (std::size_t i = 0; i < n_nodes; ++i) sums[i] += parts[c][i];
    // Children come after their parent.
    for (std::size_t i = n_nodes; i-- > 1;)
        sums[static_cast<std::size_t>(placed.parents[i])] += sums[i];

    std::vector<NodeSum> out;
    out.reserve(n_nodes);
    for (const Sums& own : sums)
        out.push_back({static_cast<double>(own.gradient) * source.gradient.unit,
                       source.sum_hessians
                           ? static_cast<double>(own.hessian) * source.hessian.unit
                           : static_cast<double>(own.count) * view.constant_hessian});
    return out;
}

} // namespace ceiba
