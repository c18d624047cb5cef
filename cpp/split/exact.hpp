// Exact splits: every distinct value of a node is a candidate threshold.
//
// The scan of a node's histogram has scored the thresholds between bins. Thresholds inside bins
// remain, and few bins can hold the best one:
//
//   1. inner_bounds.hpp gives an upper bound for the gain of a threshold inside each bin.
//   2. The search opens bins whose bound reaches the best gain so far, the most promising column first.
//      The rows of an opened bin are a slice of the sorted column. The search sums those of the node in
//      that order; each change of value is a candidate. A small node collects and sorts its own rows of
//      the opened bins instead.
//   3. The best gain rises, and the other bins stay closed.
//
// A closed bin holds neither a better gain nor an equal one that would win the tie. So the result
// depends neither on the bins nor on the threads.
//
// The life of an exact search:
//   1. It is made for a binned and ranked table and keeps its buffers.
//   2. For each tree: start(); after the histogram scan, refine() for nodes, or refine_level() for a
//      level that shares its split.
//   3. settle() sets the threshold of an applied split: the midpoint of the neighboring values in the
//      node (or the level).
#pragma once

#include "base/buffer.hpp"
#include "data/coded/binned.hpp"
#include "data/coded/ranked.hpp"
#include "gradient/quantize.hpp"
#include "rows/histogram.hpp"
#include "split/exact_walk.hpp"
#include "split/inner_bounds.hpp"
#include "split/scan.hpp"

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

namespace ceiba {

class ExactSearch {
  public:
    ExactSearch(const BinnedMatrix& binned, std::shared_ptr<const RankedColumns> ranked);

    const RankedColumns& ranked() const { return *ranked_; }

    // A new tree of these rows, whose splits follow the rule and gain at least min_gain.
    void start(const OutputRows& words, std::span<const Packing> packings, const RowRange& rows,
               const GainRule& rule, double min_gain, int n_threads);

    // A node that was scanned.
    struct NodeView {
        int number = 0;
        RowRange rows;
        std::span<const int> columns;
        double score = 0;
        bool gains = true;     // else too small to add to the gain of its level
        Split* best = nullptr; // of the scan; replaced where there is a better one (not of a level)
    };
    // The histogram of a column of a node, of an output.
    using ScanOf = std::function<ColumnScan(int node, int feature, int output)>;

    void refine(std::span<const NodeView> nodes, const ScanOf& scan_of, int n_threads);
    // `nodes`: those of the level that have rows. `best`: that of the scan, with the sum of gains.
    void refine_level(std::span<const NodeView> nodes, const ScanOf& scan_of, double level_score,
                      Split& best, int n_threads);
    // What the split of a level means for one of its nodes: its own gain and sums.
    Split share_of(const Split& shared, const ColumnScan& scan, const NodeView& node) const;
    // The rows that stay together share the threshold: those of a node, or of all of a level.
    void settle(std::span<const RowRange> together, Split& split) const;

  private:
    struct Opened { // a bin that may hold the best threshold
        double bound;
        int bin;
    };
    struct Task { // a column of a node, or of a level
        std::size_t node = 0;
        int feature = 0;
        std::vector<Opened> bins; // the highest bound first
        Split best;
    };

    class LevelWalk;

    // The order in which tasks are tried, and a gain that only rises.
    static bool is_more_promising(const Task& one, const Task& other);
    static void raise(std::atomic<double>& gain, double to);

    std::span<const std::uint32_t> first_ranks(int feature) const {
        return first_ranks_[static_cast<std::size_t>(feature)];
    }
    // From the codes of bins, of which the scan speaks, to ranks.
    void speak_of_ranks(Decision& decision) const {
        decision.last = first_ranks(decision.feature)[decision.last + 1] - 1;
    }
    std::shared_ptr<const CodeSet> set_of_ranks(const Decision& decision) const;
    std::int64_t slice_size(int feature, int bin) const;
    std::vector<Opened> promising(int feature, const double* bounds, double score,
                                  double gain) const;
    std::uint32_t new_marks(std::size_t n);
    void mark_rows(const RowRange& rows, std::uint32_t mark);
    bool reads_slices(const Task& task, const RowRange& rows) const;
    RowLimits limits_of(std::size_t output, const Packing& packing, const RowRange& rows,
                        int n_threads) const;
    std::vector<ColumnScan> scans_of(int node, int feature, const ScanOf& scan_of) const;
    void bound_bins(std::span<const ColumnScan> scans, double score, double* bounds) const;
    void open(const NodeView& node, const ScanOf& scan_of, std::uint32_t mark,
              std::atomic<double>& gain, Task& task) const;
    void collect_slice(int feature, int bin, std::uint32_t mark, std::vector<RankedRow>& out) const;
    void collect_rows(int feature, const RowRange& rows, std::span<const Opened> bins,
                      std::vector<RankedRow>& out) const;

    const BinnedMatrix* binned_;
    std::shared_ptr<const RankedColumns> ranked_;
    GainRule rule_;
    // The rank at which each bin of each column begins, and the end.
    std::vector<std::vector<std::uint32_t>> first_ranks_;

    OutputRows words_;
    double min_gain_ = 0;
    std::vector<RowLimits> limits_; // of each output
    // Of each row, the mark of the node it was last seen in. Marks are never used twice.
    Buffer<std::uint32_t> marks_;
    std::uint32_t next_mark_ = 1; // 0: in none
};

// Whether a candidate wins: the larger gain, then the lowest column, the lowest threshold, missing
// left.
bool wins(double gain, const Decision& decision, double other_gain, const Decision& other);
bool is_better(const Split& one, const Split& other);

} // namespace ceiba
