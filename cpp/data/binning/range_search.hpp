// The edges of one column of a table that is read in several passes (edge_search.hpp).
//
// The column is a sequence of pieces: single values with their weight, and ranges of values of
// which only the weight is known. A pass opens some ranges: it divides them at new keys, or collects
// their values.
//
//   pieces   1.5  (1.5, 2.7)  2.7  (2.7, 9)  9
//   keys     1.5     1.9      2.7                  the pass divides (1.5, 2.7) at 1.9
#pragma once

#include "data/binning/edge_finder.hpp"
#include "data/binning/edge_rule.hpp"
#include "data/column.hpp"
#include "data/sorting/sorted_search.hpp"

#include <cstdint>
#include <vector>

namespace ceiba {

// The distinct values of a column, as long as they are few.
class DistinctValues {
  public:
    void add(const double* values, std::int64_t n, std::size_t most);
    void merge(const DistinctValues& other, std::size_t most);
    bool too_many() const { return too_many_; }
    std::vector<double> sorted() const;

  private:
    void grow();

    std::vector<double> slots_; // a hash table; NaN: empty
    std::size_t n_ = 0;
    bool too_many_ = false;
};

class RangeSearch {
  public:
    static constexpr int kMostKeys = 65535; // of SortedSearch

    // The first pass collects distinct values. most: if there are more, the sample divides the
    // column.
    void note(const Column& column, std::size_t most);
    void merge_noted(const RangeSearch& other, std::size_t most);
    // End the first pass. sample: of the values, without missing ones.
    void start(std::vector<double> sample, std::size_t most_keys);

    // Later passes. all_units: of all rows of the column.
    void add(const double* values, const double* weights, std::int64_t n, const EdgeWeights& units);
    void add_sparse(const Column& column, const double* weights, const EdgeWeights& units,
                    std::uint64_t all_units);
    // Continue the pass of another search without its rows.
    void fork_from(const RangeSearch& other);
    void merge(const RangeSearch& other);

    // End a later pass: apply the rule. The column is found if it requests no range.
    void apply(const EdgeRule& rule);
    bool is_found() const { return found_; }
    const FoundEdges& edges() const { return result_; }
    std::int64_t n_asked() const { return static_cast<std::int64_t>(asked_.size()); }
    // Entries of the requested ranges: values that a pass would collect.
    std::int64_t n_asked_entries() const;
    // Prepare the next pass: collect the requested ranges of at most `few` entries, and divide the
    // others so that their parts should have fewer.
    void open(std::int64_t few);

  private:
    // A value (low == high), or the values between low and high.
    struct Piece {
        double low, high;
        std::uint64_t weight;
        std::int64_t n_entries;
        bool is_range() const { return low < high; }
    };
    struct Cell {
        std::uint64_t weight = 0;
        std::int64_t n_entries = 0;
    };

    void put(double value, std::uint64_t units, std::uint32_t rank);
    void set_keys(const std::vector<double>& keys);
    void close_pass();
    void add_cells(std::size_t first, std::size_t last, std::vector<Piece>& pieces) const;

    DistinctValues distinct_;
    std::vector<Piece> pieces_;        // ascending; empty: the second pass
    std::vector<std::int32_t> asked_;  // requested pieces, ascending
    std::vector<std::int32_t> opened_; // those that this pass opens
    bool found_ = false;
    FoundEdges result_;
    // Of a pass. Cell 2r holds the values between keys r - 1 and r, cell 2r + 1 those of key r.
    SortedSearch search_;
    std::vector<Cell> cells_;
    std::vector<std::uint8_t> collects_;
    std::vector<double> values_;       // collected
    std::vector<std::uint64_t> units_; // of these values; empty if all are 1
};

} // namespace ceiba
