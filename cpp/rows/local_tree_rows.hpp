// The rows of a tree in this process: for each the leaf it is in.
#pragma once

#include "data/binned.hpp"
#include "data/ranked.hpp"
#include "rows/exchange.hpp"
#include "rows/leaf_of_row.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace ceiba {

class LocalTreeRows final : public TreeRows {
  public:
    // A new tree of n_nodes, grown on n_selected rows of the table; who calls writes their leaves.
    // Rows that are not selected are routed by ranks, if there are any, or by codes.
    // No row has to be routed where all are selected.
    LeafOfRow& start(std::int64_t n_rows, const BinnedMatrix* binned, const RankedColumns* ranked,
                     std::int64_t n_nodes, std::int64_t n_selected);

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
    std::vector<std::int64_t> take_all(std::span<const RoutedNode> routes, int n_threads) override;

  private:
    std::int64_t route_row(std::span<const RoutedNode> routes, std::int64_t row) const {
        return ranked_ != nullptr ? route(*ranked_, routes, row) : route(*binned_, routes, row);
    }
    bool selects_all() const { return n_selected_ == n_rows_; }

    const BinnedMatrix* binned_ = nullptr;
    const RankedColumns* ranked_ = nullptr;
    std::int64_t n_rows_ = 0, n_selected_ = 0, n_nodes_ = 0;
    LeafOfRow leaf_of_row_;
};

} // namespace ceiba
