#include "rows/local_tree_rows.hpp"

#include "base/errors.hpp"
#include "base/settings.hpp"
#include "parallel/rows.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <optional>
#include <utility>

namespace ceiba {

void LeafResiduals::check_finite(bool finite) const {
    if (!finite)
        throw InputError("The differences between target and scores must be finite. Got NaN or an "
                         "infinite value. Scale the target down.");
}

LeafOfRow& LocalTreeRows::start(std::int64_t n_rows, const BinnedMatrix* binned,
                                const RankedColumns* ranked, std::int64_t n_nodes,
                                const RowSelection& selection) {
    binned_ = binned;
    ranked_ = ranked;
    n_rows_ = n_rows;
    n_nodes_ = n_nodes;
    all_ = selection.size(n_rows) == n_rows;
    rows_.clear();
    if (!all_) rows_.assign(selection.rows.begin(), selection.rows.end());
    routed_ = all_;
    leaf_of_row_.start(n_rows_, n_nodes);
    return leaf_of_row_;
}

Extent LocalTreeRows::measure(const GradientView& view, const WeightFacts& weights,
                              int n_threads) const {
    return measure_rows(view, selection(weights), n_threads).extent;
}

namespace {

// Few chunks, because each has a counter for every node.
std::int64_t few_chunks(std::int64_t n_rows, int threads) {
    const std::int64_t size = settings().chunk_rows;
    return threads > 1 ? std::min<std::int64_t>(threads, (n_rows + size - 1) / size) : 1;
}

// The input of sums over leaves.
struct LeafSource {
    const GradientView& view;
    const double* weights;
    const LeafSumOrder& order;
    const std::int32_t* rows; // null: all
};

// Two tables, for even and odd rows: neighbors are often in one leaf, and consecutive additions to
// one address would wait for each other.
struct TwoTables {
    std::vector<Sums> even, odd;

    explicit TwoTables(std::size_t n_nodes) : even(n_nodes), odd(n_nodes) {}

    std::vector<Sums> together() && {
        for (std::size_t i = 0; i < even.size(); ++i) even[i] += odd[i];
        return std::move(even);
    }
};

template <bool kHessians, bool kBefore, bool kAfter, class Number>
void add_row(const LeafSource& source, const Number* leaves, std::int64_t i, Sums* sums) {
    Sums& own = sums[leaves[i]];
    const GradientView& view = source.view;
    const double factor = kBefore ? source.weights[i] : 1.0;
    const std::int64_t times =
        kAfter ? static_cast<std::int64_t>(source.weights[i]) : std::int64_t{1};
    own.gradient += std::llrint(view.gradients[i] * factor * source.order.gradient_scale) * times;
    if constexpr (kHessians) {
        const double h = view.hessians != nullptr ? view.hessians[i] : view.constant_hessian;
        own.hessian += std::llrint(h * factor * source.order.hessian_scale) * times;
    } else {
        own.count += times;
    }
}

template <bool kHessians, bool kBefore, bool kAfter>
std::vector<Sums> sum_chunk(const LeafSource& source, const LeafOfRow& leaf_of_row,
                            std::size_t n_nodes, std::int64_t begin, std::int64_t end) {
    TwoTables tables(n_nodes);
    leaf_of_row.with_numbers([&](const auto* leaves) {
        const auto add = [&](std::int64_t i, Sums* sums) {
            const std::int64_t row = source.rows != nullptr ? source.rows[i] : i;
            add_row<kHessians, kBefore, kAfter>(source, leaves, row, sums);
        };
        std::int64_t i = begin;
        for (; i + 1 < end; i += 2) {
            add(i, tables.even.data());
            add(i + 1, tables.odd.data());
        }
        if (i < end) add(i, tables.even.data());
    });
    return std::move(tables).together();
}

using SumChunk = std::vector<Sums> (*)(const LeafSource&, const LeafOfRow&, std::size_t,
                                       std::int64_t, std::int64_t);

SumChunk sum_chunk_of(const WeightFacts& weights, bool hessians) {
    if (weights.multiply_before()) return sum_chunk<true, true, false>;
    if (weights.multiply_after())
        return hessians ? sum_chunk<true, false, true> : sum_chunk<false, false, true>;
    return hessians ? sum_chunk<true, false, false> : sum_chunk<false, false, false>;
}

} // namespace

std::vector<Sums> LocalTreeRows::sum_leaves(const GradientView& view, const WeightFacts& weights,
                                            const LeafSumOrder& order, int n_threads) const {
    if (order.unit > 0) return sum_parts(view, weights, order, n_threads);
    const LeafSource source{view, weights.weights, order, all_ ? nullptr : rows_.data()};
    const SumChunk sum = sum_chunk_of(weights, order.hessians);
    const auto n_nodes = static_cast<std::size_t>(n_nodes_);
    const std::int64_t n = selection(weights).size(n_rows_);
    const int threads = useful_threads(n_threads, n);
    const std::int64_t n_chunks = few_chunks(n, threads);
    std::vector<std::vector<Sums>> parts(static_cast<std::size_t>(n_chunks));
    parallel_for(threads, n_chunks, [&](std::int64_t c) {
        parts[static_cast<std::size_t>(c)] =
            sum(source, leaf_of_row_, n_nodes, n * c / n_chunks, n * (c + 1) / n_chunks);
    });
    std::vector<Sums> sums = std::move(parts[0]);
    for (std::size_t c = 1; c < parts.size(); ++c)
        for (std::size_t i = 0; i < n_nodes; ++i) sums[i] += parts[c][i];
    return sums;
}

std::vector<Sums> LocalTreeRows::sum_parts(const GradientView& view, const WeightFacts& weights,
                                           LeafSumOrder order, int n_threads) const {
    Buffer<double> parts(static_cast<std::size_t>(std::max<std::int64_t>(1, n_rows_)));
    over_rows(n_rows_, n_threads, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t i = begin; i < end; ++i) {
            const double rest = std::remainder(view.gradients[i], order.unit);
            parts[static_cast<std::size_t>(i)] = order.remainder ? rest : view.gradients[i] - rest;
        }
    });
    GradientView part = view;
    part.gradients = parts.data();
    order.unit = 0;
    return sum_leaves(part, weights, order, n_threads);
}

std::vector<std::vector<std::int64_t>>
LocalTreeRows::places_by_leaf(std::int64_t n_chunks, int threads,
                              std::vector<std::int64_t>& begins) const {
    const auto n_nodes = static_cast<std::size_t>(n_nodes_);
    const std::int64_t n = selection({}).size(n_rows_);
    std::vector<std::vector<std::int64_t>> places(static_cast<std::size_t>(n_chunks));
    parallel_for(threads, n_chunks, [&](std::int64_t c) {
        auto& own = places[static_cast<std::size_t>(c)];
        own.assign(n_nodes, 0);
        leaf_of_row_.with_numbers([&](const auto* leaves) {
            for (std::int64_t i = n * c / n_chunks; i < n * (c + 1) / n_chunks; ++i)
                ++own[leaves[row_at(i)]];
        });
    });
    begins.assign(n_nodes + 1, 0);
    for (std::size_t node = 0; node < n_nodes; ++node) {
        std::int64_t at = begins[node];
        for (auto& own : places) at += std::exchange(own[node], at);
        begins[node + 1] = at;
    }
    return places;
}

void LocalTreeRows::rows_of_leaves(int n_threads, LeafRows& out) const {
    const std::int64_t n = selection({}).size(n_rows_);
    const int threads = useful_threads(n_threads, n);
    const std::int64_t n_chunks = few_chunks(n, threads);
    std::vector<std::vector<std::int64_t>> places = places_by_leaf(n_chunks, threads, out.begins);
    out.rows.resize(static_cast<std::size_t>(n));
    parallel_for(threads, n_chunks, [&](std::int64_t c) {
        auto& own = places[static_cast<std::size_t>(c)];
        leaf_of_row_.with_numbers([&](const auto* leaves) {
            for (std::int64_t i = n * c / n_chunks; i < n * (c + 1) / n_chunks; ++i) {
                const std::int64_t row = row_at(i);
                out.rows[static_cast<std::size_t>(own[leaves[row]]++)] =
                    static_cast<std::int32_t>(row);
            }
        });
    });
}

void LocalTreeRows::residuals(const double* target, const double* scores,
                              const WeightUnits& weights, bool plain, int n_threads,
                              LeafResiduals& out) const {
    const std::int64_t n = selection({}).size(n_rows_);
    const int threads = useful_threads(n_threads, n);
    const std::int64_t n_chunks = few_chunks(n, threads);
    const auto chunk_begin = [&](std::int64_t c) { return n * c / n_chunks; };
    std::vector<std::vector<std::int64_t>> places = places_by_leaf(n_chunks, threads, out.begins);
    const auto size = static_cast<std::size_t>(std::max<std::int64_t>(1, out.begins.back()));
    if (plain)
        out.plain.need(size);
    else
        out.weighted.need(size);
    std::atomic<bool> finite = true;
    parallel_for(threads, n_chunks, [&](std::int64_t c) {
        auto& own = places[static_cast<std::size_t>(c)];
        bool all_finite = true;
        for (std::int64_t i = chunk_begin(c); i < chunk_begin(c + 1); ++i) {
            const std::int64_t row = row_at(i);
            // Adding 0 turns -0 into 0: they are equal and so must have the same bits.
            const double residual = target[row] - scores[row] + 0.0;
            all_finite = all_finite && std::isfinite(residual);
            const auto place = static_cast<std::size_t>(own[leaf_of_row_[row]]++);
            if (plain)
                out.plain[place] = residual;
            else
                out.weighted[place] = {residual, weights[row]};
        }
        if (!all_finite) finite = false;
    });
    out.check_finite(finite);
}

void LocalTreeRows::add_to_scores(std::span<const RoutedNode> routes, const double* values,
                                  std::int64_t width, const double* scores, double* moved,
                                  int n_threads) const {
    route_rows(routes, n_threads);
    over_rows(n_rows_, n_threads, [&](std::int64_t begin, std::int64_t end) {
        leaf_of_row_.with_numbers([&](const auto* leaves) {
            if (width == 1) {
                for (std::int64_t i = begin; i < end; ++i) moved[i] = scores[i] + values[leaves[i]];
                return;
            }
            for (std::int64_t i = begin; i < end; ++i) {
                const double* leaf = values + static_cast<std::int64_t>(leaves[i]) * width;
                for (std::int64_t k = 0; k < width; ++k)
                    moved[k * n_rows_ + i] = scores[k * n_rows_ + i] + leaf[k];
            }
        });
    });
}

void LocalTreeRows::leaves(std::span<const RoutedNode> routes, int n_threads,
                           std::int32_t* out) const {
    route_rows(routes, n_threads);
    over_rows(n_rows_, n_threads, [&](std::int64_t begin, std::int64_t end) {
        leaf_of_row_.with_numbers([&](const auto* leaves) {
            for (std::int64_t i = begin; i < end; ++i)
                out[i] = static_cast<std::int32_t>(leaves[i]);
        });
    });
}

std::vector<std::int64_t> LocalTreeRows::take_all(std::span<const RoutedNode> routes,
                                                  int n_threads) {
    if (all_) return std::vector<std::int64_t>(static_cast<std::size_t>(n_nodes_), 0);
    route_rows(routes, n_threads);
    std::vector<std::int64_t> taken = count_all(n_threads);
    for (const std::int32_t row : rows_) --taken[leaf_of_row_[row]];
    all_ = true;
    rows_.clear();
    return taken;
}

std::vector<std::int64_t> LocalTreeRows::move_to(const BinnedMatrix& table,
                                                 std::span<const RoutedNode> routes, bool all,
                                                 int n_threads) {
    binned_ = &table;
    ranked_ = nullptr;
    routed_ = false;
    route_rows(routes, n_threads);
    if (all) {
        all_ = true;
        rows_.clear();
    }
    if (all_) return count_all(n_threads);
    std::vector<std::int64_t> counts(static_cast<std::size_t>(n_nodes_), 0);
    for (const std::int32_t row : rows_) ++counts[leaf_of_row_[row]];
    return counts;
}

std::vector<std::int64_t> LocalTreeRows::count_all(int n_threads) const {
    std::vector<std::int64_t> counts(static_cast<std::size_t>(n_nodes_), 0);
    for (const auto& part :
         parts_of_rows(n_rows_, n_threads, [&](std::int64_t begin, std::int64_t end) {
             std::vector<std::int64_t> own(counts.size(), 0);
             leaf_of_row_.with_numbers([&](const auto* leaves) {
                 for (std::int64_t i = begin; i < end; ++i)
                     ++own[static_cast<std::size_t>(leaves[i])];
             });
             return own;
         }))
        for (std::size_t i = 0; i < counts.size(); ++i) counts[i] += part[i];
    return counts;
}

// Routes all rows; selected rows reach the leaf that they are in.
void LocalTreeRows::route_rows(std::span<const RoutedNode> routes, int n_threads) const {
    if (routed_) return;
    std::optional<Router> router;
    if (ranked_ != nullptr)
        router.emplace(*ranked_, routes);
    else
        router.emplace(*binned_, routes);
    over_rows(n_rows_, n_threads, [&](std::int64_t begin, std::int64_t end) {
        leaf_of_row_.with_numbers([&](auto* leaves) { router->route(begin, end, leaves + begin); });
    });
    routed_ = true;
}

} // namespace ceiba
