// The bins of a categorical column: which of its levels have a bin of their own.
#pragma once

#include "data/binning/edge_finder.hpp"
#include "data/column.hpp"

#include <cstdint>
#include <vector>

namespace ceiba {

// Sums of a categorical column over blocks of rows.
class LevelWeights {
  public:
    explicit LevelWeights(std::int64_t n_levels);

    // weights: of the rows of the column, or nullptr.
    void add(const Column& column, const double* weights, const EdgeWeights& units);
    void merge(const LevelWeights& other);
    // Whether a value is missing, and as edges the levels with bins of their own; empty: all.
    FoundEdges found() const;

  private:
    bool has_missing_ = false;
    std::vector<std::uint64_t> weight_of_; // empty unless levels must share a bin
};

} // namespace ceiba
