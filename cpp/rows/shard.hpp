// A shard: a block of binned rows, with their statistics and nodes.
//
// The life of a shard, for one tree:
//   1. start() puts all or the selected rows into the root.
//   2. rows_of(node) returns the rows of a node, for histograms.
//   3. apply() moves the rows of a split node into its two children.
//   4. write_leaf() writes the leaf of the rows of a node.
//
// The rows of a node are contiguous and in increasing order. A split copies them from one of two
// buffers to the other, so each node stores which buffer has its rows. A root of all rows is not
// stored.
#pragma once

#include "base/buffer.hpp"
#include "data/coded/binned.hpp"
#include "data/coded/ranked.hpp"
#include "rows/exchange.hpp"
#include "rows/histogram.hpp"
#include "rows/leaf_of_row.hpp"

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace ceiba {

// A decision in the form that kernels compare with: codes up to `last` and the code `absent` (equal
// to `last` if missing values go right), or those with an entry in `table`, which has one for every
// code below n_codes and a last one for all others, which are missing.
struct MarkRule {
    Code last = 0, absent = 0;
    const std::uint8_t* table = nullptr; // null: in order
    Code n_codes = 0;
};

// The range of a node's rows among those of its tree.
struct RowPlace {
    std::int64_t begin = 0, end = 0;
};

class Shard {
  public:
    // `ranked`: splits are given by ranks, otherwise (null) by bins.
    Shard(const BinnedMatrix& binned, const RankedColumns* ranked, std::int64_t first_row,
          std::int64_t n_rows);

    // `rows`: selected rows of this shard, increasing, numbered in the whole table; ignored with
    // all_rows.
    void start(std::span<const std::int32_t> rows, bool all_rows);
    RowRange rows_of(int node) const;
    std::int64_t n_rows_of(int node) const;
    std::pair<std::int64_t, std::int64_t> bounds_of(int node) const {
        return {place(node).begin, place(node).end};
    }
    std::int64_t first_row() const { return first_row_; }
    std::int64_t n_rows() const { return n_rows_; }

    // A split in two steps over pieces of the node's rows, so that several threads can share it.
    // `bits` has a bit for each row of the piece, set for those that go left; mark() returns their
    // number.
    std::int64_t mark(const SplitOrder& order, std::int64_t begin, std::int64_t end,
                      std::uint8_t* bits) const;
    void move(const SplitOrder& order, std::int64_t begin, std::int64_t end,
              const std::uint8_t* bits, std::int64_t left_at, std::int64_t right_at);
    void finish(const SplitOrder& order, std::int64_t n_left);
    // Instead of all of these: the rows of a tree ordered such that those of each node, by number,
    // are contiguous.
    void take(const std::int32_t* rows, std::span<const RowPlace> places);

    void write_leaf(int node, int leaf, LeafOfRow& leaf_of_row) const;

  private:
    struct Place {
        std::int64_t begin = 0, end = 0;
        int buffer = -1; // -1: the row numbers are consecutive and not stored
    };
    const Place& place(int node) const { return places_[static_cast<std::size_t>(node)]; }
    template <class Number>
    std::int64_t mark_codes(const Number* codes, const MarkRule& rule, int node, std::int64_t begin,
                            std::int64_t end, std::uint8_t* bits) const;
    std::int64_t mark_list(const SplitOrder& order, Code missing, std::int64_t begin,
                           std::int64_t end, std::uint8_t* bits) const;

    const BinnedMatrix* binned_;
    const RankedColumns* ranked_;
    std::int64_t first_row_, n_rows_;
    Buffer<std::int32_t> buffers_[2];
    std::vector<Place> places_;
};

// Apply independent splits to all shards, which then know the children's rows.
void apply_splits(std::span<Shard> shards, std::span<const SplitOrder> orders, int n_threads);

#define CEIBA_DECLARE_PARTITION_KERNELS(arch)                                                      \
    namespace arch {                                                                               \
    std::int64_t mark_bytes(const std::uint8_t* codes, const std::int32_t* rows, std::int64_t n,   \
                            const MarkRule& rule, std::uint8_t* bits);                             \
    std::int64_t mark_shorts(const std::uint16_t* codes, const std::int32_t* rows, std::int64_t n, \
                             const MarkRule& rule, std::uint8_t* bits);                            \
    std::int64_t mark_ranks(const std::uint32_t* ranks, const std::int32_t* rows, std::int64_t n,  \
                            const MarkRule& rule, std::uint8_t* bits);                             \
    void move_rows(const std::int32_t* rows, std::int32_t first, std::int64_t n,                   \
                   const std::uint8_t* bits, std::int32_t* left, std::int32_t* right);             \
    }
CEIBA_DECLARE_PARTITION_KERNELS(baseline)
CEIBA_DECLARE_PARTITION_KERNELS(avx2)
#undef CEIBA_DECLARE_PARTITION_KERNELS

} // namespace ceiba
