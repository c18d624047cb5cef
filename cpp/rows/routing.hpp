// Rows to leaves by their bins, or by their ranks: decisions as the grower found them, before
// thresholds.
//
// The life of a router, for one tree:
//   1. It is made of a table and the nodes of a tree, children after their parents.
//   2. route() writes the leaf of each row of a stretch, on as many threads as one likes.
//
// A stretch is a few hundred rows, all of which start in the root. Node after node, its column is
// read from one row to the next, and the rows that are in the node move on to a child: as many rows
// at a time as a vector has lanes, without a jump that depends on a row. That costs as much as the
// tree has nodes, so large trees are walked down from where the first nodes end.
#pragma once

#include "data/coded/binned.hpp"
#include "data/coded/ranked.hpp"
#include "data/decision.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace ceiba {

struct RoutedNode {
    Decision decision; // none: a leaf
    std::int32_t left, right;
};

// A node as kernels look at it. Codes up to `last` and the code `absent` (`last` again where missing
// values go right) go left, or those that `table` says: it has an entry for every code below n_codes,
// and a last one for all others, which are missing.
struct RouteStep {
    const void* codes = nullptr; // of the rows of the table
    int code_bytes = 1;
    Code last = 0, absent = 0;
    const std::uint8_t* table = nullptr; // none: in order
    Code n_codes = 0;
    std::int32_t node = 0, left = 0, right = 0;

    // Of one row.
    bool goes_left(std::int64_t row) const;
};

class Router {
  public:
    Router(const BinnedMatrix& binned, std::span<const RoutedNode> tree);
    Router(const RankedColumns& ranked, std::span<const RoutedNode> tree);
    Router(const Router&) = delete;
    Router& operator=(const Router&) = delete;

    // leaves[i]: the leaf of row begin + i. Number has room for every node of the tree.
    template <class Number>
    void route(std::int64_t begin, std::int64_t end, Number* leaves) const;

  private:
    // `n_codes`: how many codes of the column stand for values.
    void add(std::size_t node, const RoutedNode& routed, const void* codes, int code_bytes,
             Code missing, Code n_codes);

    void add_sides(std::size_t node, const RoutedNode& routed, const BinnedMatrix& binned,
                   Code missing);

    std::vector<RouteStep> steps_;      // of inner nodes
    std::vector<std::int32_t> step_of_; // by node; -1: a leaf
    std::vector<std::vector<std::uint8_t>> tables_;
};

#define CEIBA_DECLARE_ROUTING_KERNELS(arch)                                                        \
    namespace arch {                                                                               \
    void route_bytes(std::span<const RouteStep> steps, std::int64_t begin, std::int64_t n,         \
                     std::uint8_t* places);                                                        \
    void route_shorts(std::span<const RouteStep> steps, std::int64_t begin, std::int64_t n,        \
                      std::uint16_t* places);                                                      \
    void route_words(std::span<const RouteStep> steps, std::int64_t begin, std::int64_t n,         \
                     std::int32_t* places);                                                        \
    }
CEIBA_DECLARE_ROUTING_KERNELS(baseline)
CEIBA_DECLARE_ROUTING_KERNELS(avx2)
#undef CEIBA_DECLARE_ROUTING_KERNELS

} // namespace ceiba
