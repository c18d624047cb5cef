// Finds the bin edges of a table that is read block by block, in a few passes over the blocks.
//
// The life of a search:
//   1. The first pass adds all blocks: it samples rows, and collects the distinct values of columns
//      that have few.
//   2. end_pass() divides every column at these values. The second pass sums the weight of each
//      value and of each range between two of them.
//   3. end_pass() applies the rule of edge_rule.hpp to these sums. It requests the few ranges in
//      which bins end. The next pass collects their values, or divides them further if they are too
//      many for the memory, and so on until end_pass() returns true.
//   4. mapper() returns the edges: those of BinMapper::find on the whole table.
//
// What a pass collects is a summary of rows that can be merged: fork() makes an empty summary of
// the same pass for other rows, and merge() adds it. Sums are integers and the rule reads nothing
// else, so edges do not depend on blocks, their order or the memory. The sample only decides how
// many passes are needed.
#pragma once

#include "data/binning/bin_mapper.hpp"
#include "data/binning/level_weights.hpp"
#include "data/binning/range_search.hpp"
#include "data/column.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace ceiba {

class EdgeSearch {
  public:
    static constexpr std::int64_t kMostEntries = std::int64_t{1} << 23; // 64 MB

    // most_entries: values that a pass may collect, of all columns.
    EdgeSearch(int n_columns, const BinSettings& settings,
               std::int64_t most_entries = kMostEntries);

    // Read the rows of a block. weights: one for each row, above 0, or nullptr.
    void add(const std::vector<Column>& block, const double* weights, int n_threads);
    // Returns whether all edges are found. n_levels: see BinMapper::find; used after the first
    // pass, in which level numbers do not matter.
    bool end_pass(const std::vector<std::int64_t>& n_levels, int n_threads);

    EdgeSearch fork() const;
    void merge(const EdgeSearch& other);

    std::int64_t n_rows() const { return facts_.n_rows; } // after the first pass
    int n_passes() const { return pass_; }                // that have ended
    std::shared_ptr<const BinMapper> mapper() const;
    // The codes of some rows by column, to find out which columns rarely leave their usual code.
    std::vector<std::vector<std::uint8_t>> sampled_codes(const BinMapper& mapper) const;

  private:
    void sample(const std::vector<Column>& block);
    void thin_sample();
    void count(const std::vector<Column>& block, const double* weights, int n_threads);
    bool is_category(std::size_t column) const {
        return !n_levels_.empty() && n_levels_[column] > 0;
    }
    bool open_ranges();

    std::size_t n_columns_;
    BinSettings settings_;
    std::int64_t most_entries_;
    int pass_ = 0;
    EdgeWeightFacts facts_;
    EdgeWeights units_;
    std::uint64_t total_units_ = 0;
    std::vector<std::int64_t> n_levels_;
    std::vector<LevelWeights> levels_; // one per category, in order
    std::vector<std::size_t> categories_;
    std::vector<RangeSearch> ranges_; // one per column; unused for categories
    // A sample of rows: those with the lowest hashes.
    std::int64_t n_seen_ = 0; // rows of this pass
    std::vector<std::uint64_t> hashes_;
    std::uint64_t highest_hash_ = ~std::uint64_t{0};
    std::vector<std::vector<double>> sample_; // by column
};

} // namespace ceiba
