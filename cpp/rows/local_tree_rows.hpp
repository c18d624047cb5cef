// The rows of a tree in this process, with the leaf of each.
#pragma once

#include "data/coded/binned.hpp"
#include "data/coded/ranked.hpp"
#include "rows/exchange.hpp"
#include "rows/leaf_of_row.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace ceiba {

class LocalTreeRows final : public TreeRows {
  public:
    // Start a new tree of n_nodes, grown on the selected rows of the table; the caller writes their
    // leaves. The others are routed by ranks, if given, or by codes, when their leaves are first
    // needed.
    LeafOfRow& start(std::int64_t n_rows, const BinnedMatrix* binned, const RankedColumns* ranked,
                     std::int64_t n_nodes, const RowSelection& selection);

    Extent measure(const GradientView& view, const WeightFacts& weights,
                   int n_threads) const override;
    std::vector<Sums> sum_leaves(const GradientView& view, const WeightFacts& weights,
                                 const LeafSumOrder& order, int n_threads) const override;
    void residuals(const double* target, const double* scores, const WeightUnits& weights,
                   bool plain, int n_threads, LeafResiduals& out) const override;
    void add_to_scores(std::span<const RoutedNode> routes, const double* values, std::int64_t width,
                       const double* scores, double* moved, int n_threads) const override;
    void leaves(std::span<const RoutedNode> routes, int n_threads,
                std::int32_t* out) const override;
    void rows_of_leaves(int n_threads, LeafRows& out) const override;
    std::vector<std::int64_t> take_all(std::span<const RoutedNode> routes, int n_threads) override;
    std::vector<std::int64_t> move_to(const BinnedMatrix& table, std::span<const RoutedNode> routes,
                                      bool all, int n_threads) override;

  private:
    // Sums of a part of every gradient (LeafSumOrder::unit).
    std::vector<Sums> sum_parts(const GradientView& view, const WeightFacts& weights,
                                LeafSumOrder order, int n_threads) const;
    RowSelection selection(const WeightFacts& weights) const { return {all_, rows_, weights}; }
    std::int64_t row_at(std::int64_t i) const {
        return all_ ? i : rows_[static_cast<std::size_t>(i)];
    }
    // Where to copy rows so that those of a leaf are contiguous: for each chunk of rows the next
    // position of every leaf. begins: by node, then the end.
    std::vector<std::vector<std::int64_t>> places_by_leaf(std::int64_t n_chunks, int threads,
                                                          std::vector<std::int64_t>& begins) const;
    void route_rows(std::span<const RoutedNode> routes, int n_threads) const;
    // by node; the leaves of all rows are known
    std::vector<std::int64_t> count_all(int n_threads) const;

    const BinnedMatrix* binned_ = nullptr;
    const RankedColumns* ranked_ = nullptr;
    std::int64_t n_rows_ = 0, n_nodes_ = 0;
    bool all_ = true;
    std::vector<std::int32_t> rows_; // the selected ones, unless all are
    mutable bool routed_ = true;     // the leaves of the others are known too
    mutable LeafOfRow leaf_of_row_;
};

} // namespace ceiba
