// LocalExchange: the exchange for rows in this process.
//
// One task sums a group of columns of a node over all shards, and the grower's own work on it
// (subtract, scan) follows on the same thread while it is in the cache.
#pragma once

#include "rows/exchange.hpp"
#include "rows/histogram.hpp"
#include "rows/linear_words.hpp"
#include "rows/shard.hpp"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace ceiba {

class LocalExchange final : public Exchange {
  public:
    // With `ranked`, decisions refer to ranks: those that are applied, or (`routes_only`) only
    // those that later route rows.
    explicit LocalExchange(const BinnedMatrix& binned, const RankedColumns* ranked = nullptr,
                           bool routes_only = false);

    std::span<const ColumnGroup> groups() const override { return groups_; }
    Measured measure(const GradientView& view, const RowSelection& selection,
                     int n_threads) override;
    PackSums pack(const PackOrder& order, int n_threads) override;
    void sum(std::span<const SumOrder> orders, std::span<const int> groups, int n_threads,
             const std::function<void(int, int)>& summed) override;
    void apply(std::span<SplitOrder> orders, int n_threads) override;
    void end(std::span<const Home> homes, std::int64_t n_nodes, int n_threads,
             std::unique_ptr<TreeRows>& rows) override;

    // The histograms of the columns with bins in `layout`, also of those that are lists here.
    void sum_all(std::span<const SumOrder> orders, const HistogramLayout& layout, int n_threads);

    // Instead of measure() and pack(): statistics of another kind, n_planes words per row, plane
    // after plane. All rows are in node 0.
    void take_planes(std::span<const std::uint64_t> words, int n_planes);

    // After pack(): allocate moments of the rows in addition to their pairs, and pack the rows of
    // nodes by their models. Returns the sums of each plane (0 for hessians and counts). A
    // histogram of a node then has the planes of its basis.
    void start_moments(int n_planes);
    std::vector<std::vector<std::int64_t>> pack_nodes(std::span<const NodeWords> orders,
                                                      const BinnedRegressors& regressors,
                                                      int n_threads);

    // For split searches that read rows themselves (exact, approx), which need them in this
    // process.
    const Quantized& quantized() const { return quantized_; }
    std::span<const Quantized> more_outputs() const { return more_outputs_; }
    std::span<const Shard> shards() const { return shards_; }
    const BinnedMatrix& binned() const { return *binned_; }
    RowRange rows_of(int node) const { return shards_.front().rows_of(node); } // of the only shard
    // For the only shard, after the grower moved rows itself (tree/window_growth.hpp).
    void take_rows(const std::int32_t* rows, std::span<const RowPlace> places) {
        shards_.front().take(rows, places);
    }
    // Call after the table was recoded.
    void lay_out();

  private:
    // The rows of a node, divided into ranges for the threads that sum them.
    class RowQueue {
      public:
        RowQueue(std::int64_t n_rows, std::int64_t step) : n_rows_(n_rows), step_(step) {}

        bool take(std::int64_t& from, std::int64_t& to) {
            from = next_.fetch_add(step_, std::memory_order_relaxed);
            to = std::min(n_rows_, from + step_);
            return from < n_rows_;
        }

      private:
        std::int64_t n_rows_, step_;
        std::atomic<std::int64_t> next_{0};
    };
    // A group of columns of a node, which several threads may share.
    struct Job {
        int order, group, n_parts;
        std::size_t first_part; // in parts_; the first part of a job sums into its histogram
        RowQueue queue;
        std::atomic<int> left;
        std::vector<std::uint8_t> filled; // per part

        Job(int order, int group, int n_parts, std::size_t first_part, std::int64_t n_rows,
            std::int64_t step)
            : order(order), group(group), n_parts(n_parts), first_part(first_part),
              queue(n_rows, step), left(n_parts), filled(static_cast<std::size_t>(n_parts), 0) {}
    };

    void start_shards();
    void sum_lists(const SumOrder& order, const HistogramLayout& layout) const;
    std::int64_t n_rows_of(int node) const;
    // The planes of its histogram: fewer than n_planes if its basis is smaller than others'.
    int n_planes_of(int node) const {
        const auto at = static_cast<std::size_t>(node);
        return at < basis_of_nodes_.size() ? n_moment_planes(basis_of_nodes_[at])
                                           : quantized_.packing.n_planes();
    }
    const Quantized& more_output(int output) const {
        return more_outputs_[static_cast<std::size_t>(output) - 1];
    }
    GroupView view_of(int group) const;
    // of this thread, all zero; aligned to cache lines
    static std::uint64_t* scratch_words(std::size_t n);
    // Call piece(shard, range) for the rows from..to of a node, counted over all shards.
    template <class Piece>
    void for_each_piece(int node, std::int64_t from, std::int64_t to, Piece&& piece) const {
        for (const Shard& shard : shards_) {
            const RowRange all = shard.rows_of(node);
            const std::int64_t n = all.end - all.begin;
            const RowRange own{all.rows, all.begin + std::clamp<std::int64_t>(from, 0, n),
                               all.begin + std::clamp<std::int64_t>(to, 0, n)};
            if (own.begin < own.end) piece(shard, own);
            from -= n;
            to -= n;
        }
    }
    bool add_part(int node, int group, RowQueue& queue, const Planes& bins) const;
    bool add_moments(int node, int group, RowQueue& queue, const Planes& bins);
    std::uint64_t* entries_of(const Shard& shard, const RowRange& piece);
    void run_part(std::span<const SumOrder> orders, Job& job, int part,
                  const std::function<void(int, int)>& summed);

    const BinnedMatrix* binned_;
    const RankedColumns* ranked_;
    HistogramLayout layout_;
    std::vector<ColumnGroup> groups_;
    std::vector<Shard> shards_;
    // of the tree in growth
    GradientView view_;
    RowSelection selection_;
    Quantized quantized_;
    // If outputs share the tree: the second and later outputs. Words if the hessians are those of
    // the first, otherwise pairs.
    std::vector<Quantized> more_outputs_;
    Quantized pairs_to_words_;
    // If rows are packed by the models of their nodes (local_moments.cpp).
    Buffer<std::uint64_t> entries_;
    int n_entry_words_ = 0;           // of one entry, at most
    std::vector<int> basis_of_nodes_; // number of functions, by node
    // Sums of parts of nodes, kept: allocating them in several threads would fragment the heap.
    std::vector<std::vector<std::uint64_t>> parts_;
};

} // namespace ceiba
