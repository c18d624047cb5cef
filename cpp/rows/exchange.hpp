// The exchange between a grower and the shards that hold its rows.
//
// The grower asks for the histograms of a batch of nodes, summed over all shards, and hands back
// splits. (Where candidate thresholds are not fixed, it first asks for proposals:
// split/proposal.hpp.) It never sees a row. Here all shards are in memory, so a group of columns of
// a node is summed over the shards by one task, and the grower's own work on it (subtract, scan)
// follows on the same thread while it is in the cache. Sums are integers: how rows are cut into
// shards, or a node into parts for several threads, changes nothing.
#pragma once

#include "gradient/quantize.hpp"
#include "rows/histogram.hpp"
#include "rows/shard.hpp"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace ceiba {

class Exchange {
  public:
    // `ranked`: splits are handed back as ranks.
    explicit Exchange(const BinnedMatrix& binned, const RankedColumns* ranked = nullptr);

    // A new tree: every row, or the selected ones, is in node 0.
    void start(const Quantized& quantized, std::span<const std::int32_t> rows, bool all_rows);

    // What to sum, and into which histogram.
    struct Order {
        int node;
        std::uint64_t* histogram;
    };
    // Sums every order for every group; calls summed(order, group) once for each when it is
    // complete. The call may come from any thread, for different (order, group) at the same time.
    void sum(std::span<const Order> orders, std::span<const int> groups, int n_threads,
             const std::function<void(int, int)>& summed);

    void apply(std::span<const SplitOrder> orders, int n_threads) {
        apply_splits(shards_, orders, n_threads);
    }
    std::int64_t n_rows_of(int node) const;
    RowRange rows_of(int node) const; // of the only shard
    // Notes leaf `leaf` for the rows of a node.
    void write_leaf(int node, int leaf, LeafOfRow& leaf_of_row) const;

    // The shards, for candidates that are proposed from their rows.
    std::span<const Shard> shards() const { return shards_; }
    // The table was coded anew.
    void lay_out() { layout_ = HistogramLayout(*binned_); }

    const HistogramLayout& layout() const { return layout_; }
    std::int64_t histogram_words() const; // of one histogram in the form of this tree
    BinRange bins(std::uint64_t* histogram, int first_feature, int n_features) const;

  private:
    // The rows of a node, handed out in stretches to the threads that sum them.
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
    bool add_part(const Order& order, int group, RowQueue& queue, const BinRange& bins) const;

    const BinnedMatrix* binned_;
    HistogramLayout layout_;
    std::vector<Shard> shards_;
    const Quantized* quantized_ = nullptr;
    // Sums of parts of nodes, kept: freed and made anew in several threads they would scatter the
    // heap.
    std::vector<std::vector<std::uint64_t>> parts_;
};

} // namespace ceiba
