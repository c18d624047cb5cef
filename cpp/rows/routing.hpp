// Routes rows to leaves by their bins or ranks: by the grower's decisions, before these become
// thresholds.
//
// The life of a router, for one tree:
//   1. It is created for a table and the nodes of a tree, children after their parents.
//   2. route() writes the leaf of each row of a range, on any number of threads.
//
// A range is a few hundred rows, all of which start in the root. Node after node, its column is
// read sequentially, and the rows in the node move on to a child: as many rows at a time as a
// vector has lanes, without a branch that depends on a row. The cost is proportional to the number
// of nodes, so in large trees only the first nodes are processed in this way, and rows walk down
// from there.
#pragma once

#include "data/coded/binned.hpp"
#include "data/coded/ranked.hpp"
#include "data/decision.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace ceiba {

struct RoutedNode {
    Decision decision; // empty: a leaf
    std::int32_t left, right;
};

// A node for the kernels. Codes up to `last` and the code `absent` (equal to `last` if missing
// values go right) go left, or those with an entry in `table`, which has one for every code below
// n_codes and a last one for all others, which are missing.
struct RouteStep {
    const void* codes = nullptr; // of the rows of the table
    int code_bytes = 1;
    Code last = 0, absent = 0;
    const std::uint8_t* table = nullptr; // null: in order
    Code n_codes = 0;
    std::int32_t node = 0, left = 0, right = 0;

    // The direction of one row.
    bool goes_left(std::int64_t row) const;
};

class Router {
  public:
    Router(const BinnedMatrix& binned, std::span<const RoutedNode> tree);
    Router(const RankedColumns& ranked, std::span<const RoutedNode> tree);
    Router(const Router&) = delete;
    Router& operator=(const Router&) = delete;

    // leaves[i]: the leaf of row begin + i. Number must be able to hold every node number.
    template <class Number>
    void route(std::int64_t begin, std::int64_t end, Number* leaves) const;

  private:
    // `n_codes`: number of codes of the column that are values.
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
