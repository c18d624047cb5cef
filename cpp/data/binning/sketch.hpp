// A mergeable quantile sketch of a weighted column with a rank error of at most eps.
//
// The life of a sketch:
//   1. It is created with an error eps. Rows are added: a value and an integer weight each.
//   2. Sketches of parts of the rows are merged in any shape: a chain, a tree or a mixture.
//   3. summary() answers queries: value_at(rank) is a value whose rank is wrong by at most eps
//      times the total weight.
//
// The sketch keeps two exact integer bounds for the place of a value x among all rows:
//
//   reached   at least this much weight is at or below x
//   below     at most this much weight is below x
//
//   weight  0 ----------------|====== x ======|---------------- total
//                      true: below x      at or below x
//
// The gap of a summary is the largest `below` of an entry minus `reached` of the entry before it.
//   - A value at a given rank is known to half a gap: of two neighbors take the nearer one.
//   - Merging adds gaps as it adds weights: the bounds of an entry in the other summary are those
//     of its neighbors there, so no error is added.
//   - Pruning removes entries while the gap stays within 2 eps of the total. It keeps the first and
//     the last value.
//
// The size is bounded as well. Rows wait in a buffer; a full one becomes a summary of level 0, and
// two summaries of one level become one of the next. A summary of level l may use (l + 1) /
// n_levels of the error, so each level adds its own share, and pruning leaves at most n_levels / (2
// eps) + 2 entries. The number of levels is log2 of the number of full buffers.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace ceiba {

using SketchWeight = std::uint64_t;

struct SketchValue {
    double value;
    SketchWeight weight;
};

class QuantileSummary {
  public:
    struct Entry {
        double value;
        SketchWeight reached, below;
    };

    // Every value with its exact place. Rows without weight are dropped; sorts `rows`.
    static QuantileSummary exact(std::vector<SketchValue>& rows);
    static QuantileSummary merge(const QuantileSummary& a, const QuantileSummary& b);
    // Remove as many entries as a gap of `most` allows.
    void prune(SketchWeight most);

    bool empty() const { return entries_.empty(); }
    SketchWeight total() const { return total_; }
    std::span<const Entry> entries() const { return entries_; }
    SketchWeight gap() const;
    // A value at this rank (0..total). There must be at least one entry.
    double value_at(SketchWeight rank) const;
    // The distinct values at the ranks total * k / n, 0 < k < n, in increasing order.
    std::vector<double> cuts(int n) const;

  private:
    std::vector<Entry> entries_; // in increasing order of values
    SketchWeight total_ = 0;
};

class QuantileSketch {
  public:
    static constexpr std::int64_t kBlockRows = 65536;
    static constexpr int kLevels = 24; // for full blocks of 65,536 rows: up to 5e11 rows
    static constexpr SketchWeight kMostWeight = SketchWeight{1} << 62;

    explicit QuantileSketch(double eps, std::int64_t block_rows = kBlockRows);

    void add(double value, SketchWeight weight);
    // Add an exact summary of rows as one full buffer.
    void add_block(QuantileSummary block);
    void merge(const QuantileSketch& other);
    QuantileSummary summary() const;

    double eps() const { return eps_; }
    SketchWeight total() const { return total_; }
    std::int64_t n_entries() const;
    // Upper bound of n_entries() after n rows, however they were merged.
    std::int64_t most_entries(std::int64_t n_rows) const;

  private:
    void close_buffer();
    void put(QuantileSummary summary, int level);
    void count_weight(SketchWeight weight);

    double eps_;
    std::int64_t block_rows_;
    SketchWeight total_ = 0;
    std::vector<SketchValue> buffer_;
    std::vector<QuantileSummary> levels_; // an empty one: no summary at this level
};

} // namespace ceiba
