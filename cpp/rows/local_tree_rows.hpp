// The rows of a tree in this process: for each the leaf it is in.
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
    // A new tree of n_nodes, grown on the selected rows of the table; who calls writes their leaves.
    // The others are routed by ranks, if there are any, or by codes, when they are first asked for.
    // No row has to be routed where all are selected.
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
    RowSelection selection(const WeightFacts& weights) const { return {all_, rows_, weights}; }
    std::int64_t row_at(std::int64_t i) const {
        return all_ ? i : rows_[static_cast<std::size_t>(i)];
    }
    // Where rows are to be put so that those of a leaf lie side by side: for each of some chunks the
    // next place of every leaf. begins: by node, and the end.
    std::vector<std::vector<std::int64_t>> places_by_leaf(std::int64_t n_chunks, int threads,
                                                          std::vector<std::int64_t>& begins) const;
    void route_rows(std::span<const RoutedNode> routes, int n_threads) const;
    std::vector<std::int64_t> count_all(int n_threads) const; // by node; rows know their leaf

    const BinnedMatrix* binned_ = nullptr;
    const RankedColumns* ranked_ = nullptr;
    std::int64_t n_rows_ = 0, n_nodes_ = 0;
    bool all_ = true;
    std::vector<std::int32_t> rows_; // the selected ones, unless it is all
    mutable bool routed_ = true;     // the others know their leaf too
    mutable LeafOfRow leaf_of_row_;
};

} // namespace ceiba
