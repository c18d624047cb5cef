// Candidate thresholds by weighted quantiles, proposed for each tree or each node.
//
// The life of a proposal:
//   1. It is made for ranked columns and keeps its buffers from tree to tree.
//   2. start() for each tree. The weight of a row is its rounded hessian; if all are 0, rows count
//      alike.
//   3. of_tree() returns the cuts of columns for all selected rows, of_node() those of one column for
//      the rows of a node.
//
// With one shard, cuts are exact weighted quantiles and do not depend on the row order. With several,
// each shard sums its part of every block of 65,536 rows exactly; parts of a block are joined, and the
// blocks become one sketch in row order. So the cuts do not depend on the shards. A single block is exact.
#pragma once

#include "base/buffer.hpp"
#include "data/binning/candidates.hpp"
#include "rows/node_values.hpp"
#include "rows/row_weights.hpp"
#include "rows/shard.hpp"

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace ceiba {

class Proposal {
  public:
    // `eps`: the share of the weight that may lie between two neighbouring candidates.
    // `kinds`: of every column, or none; every value of a category is a candidate.
    Proposal(std::shared_ptr<const RankedColumns> ranked, double eps,
             std::vector<std::uint8_t> kinds = {});

    // Bins of a column, that of missing values included.
    static int most_bins(double eps);

    void start(const Quantized& quantized, std::span<const std::int32_t> rows, bool all_rows,
               int n_threads);
    // cuts[f] for every f of `columns`.
    void of_tree(std::span<const Shard> shards, std::span<const int> columns, int n_threads,
                 std::vector<Cuts>& cuts) const;
    // `values`: those of the column in the node.
    void of_node(std::span<const Shard> shards, int node, int feature, const NodeValues& values,
                 Cuts& cuts) const;

  private:
    int room(int feature) const; // bins of values
    // `last`: the largest rank, which is no cut.
    void sketch(std::span<const Shard> shards, int node, int feature, const RowWeights& weights,
                std::uint32_t last, Cuts& cuts) const;

    bool takes_all(int feature, Cuts& cuts) const;

    std::shared_ptr<const RankedColumns> ranked_;
    double eps_;
    std::vector<std::uint8_t> kinds_;
    RowWeights hessians_, counts_;
    Buffer<std::uint64_t> weights_; // of every row, 0 where it is not selected
};

} // namespace ceiba
