// The frontier: nodes that have a split but are not split yet, and which of them come next.
//
// A policy is an order and a batch size:
//   leafwise   the largest gain first, ties to the lowest node; one at a time, since its children may
//              have larger gains than the rest
//   depthwise  the lowest level first, in the order of nodes; the rest of a level at once
//   symmetric  as depthwise, but a level is split as a whole or not at all
//   depthfirst the lowest node of the deepest level, one at a time
#pragma once

#include "tree/plan.hpp"

#include <cstdint>
#include <vector>

namespace ceiba {

class Frontier {
  public:
    explicit Frontier(GrowPolicy policy) : policy_(policy) {}

    void add(int node, int depth, double gain);
    // Nodes to split now: independent of each other, at most leaves_left (each split adds one
    // leaf). Empty: growth ends.
    std::vector<int> next_batch(std::int64_t leaves_left);
    // Removes and returns the nodes that cannot be split any more, because enough others come first:
    // what is kept for their children can be freed.
    std::vector<int> drop_hopeless(std::int64_t leaves_left);

  private:
    struct Entry {
        int node, depth;
        double gain;
    };
    bool before(const Entry& a, const Entry& b) const;

    GrowPolicy policy_;
    std::vector<Entry> heap_;
};

} // namespace ceiba
