// The state of one tree while it grows: nodes, packed gradients and limits. Growth loops, split
// searches and column choice read it; only GrowingTree adds nodes.
//
// The life of a growing tree:
//   1. start() empties it; the search packs the gradients; make_root() adds the root.
//   2. make_children() adds the two children of a node that has a split.
#pragma once

#include "gradient/quantize.hpp"
#include "sample/columns.hpp"
#include "split/ranking.hpp"
#include "tree/node.hpp"
#include "tree/plan.hpp"

#include <cstdint>
#include <vector>

namespace ceiba {

class GrowingTree {
  public:
    explicit GrowingTree(const GrowPlan& grow_plan)
        : plan(grow_plan), rule(grow_plan.gain_rule()) {}

    void start(const ColumnKey& column_key, double sigma, int threads, std::vector<Node>& out);
    // `packed` is set.
    void make_root();
    // `has_border`: the split has values on both sides, so that monotone bounds apply.
    void make_children(int number, bool has_border);

    Node& at(int number) { return (*nodes)[static_cast<std::size_t>(number)]; }
    const Node& at(int number) const { return (*nodes)[static_cast<std::size_t>(number)]; }
    int number_of(const Node& node) const { return static_cast<int>(&node - nodes->data()); }
    int n_outputs() const { return static_cast<int>(packed.size()); }
    const Packing& packing(int output = 0) const {
        return packed[static_cast<std::size_t>(output)].packing;
    }
    const Sums& sums_of(const Node& node, int output) const {
        return output == 0 ? node.sums : node.more_sums[static_cast<std::size_t>(output) - 1];
    }
    double score_of(const Node& node, int output) const;
    double hessian_of(const Node& node) const {
        return static_cast<double>(node.sums.hessian) * packing().hessian_unit;
    }
    // Gains stay the same when a number is added to all gradients.
    bool may_center() const;
    std::int64_t most_leaves() const;
    bool is_symmetric() const { return plan.grow_policy == GrowPolicy::symmetric; }
    // Candidates are ranked by the cosine or with noise (split/ranking.hpp).
    bool ranks() const { return rule.cosine || noise.sigma > 0; }
    bool enough_rows(const Node& node) const {
        return node.n_rows > 0 && node.sums.count >= plan.min_samples_split;
    }
    bool may_split(const Node& node) const;
    bool gains_enough(const Split& split, const Node& node, double least) const {
        return split.found() && is_gain(split.gain, node.score, least);
    }
    // By the gain of the best split of a column: nodes below may still split it.
    bool is_hopeful(const Node& node, double gain) const {
        return gain > hopeless_gain(node.score, gain_to_grow);
    }

    GrowPlan plan;
    GainRule rule;
    std::vector<Packed> packed; // by output
    std::vector<Node>* nodes = nullptr;
    ColumnKey key;
    Noise noise;
    int n_threads = 1;
    double gain_to_grow = 0;

  private:
    double score_of(const Node& node) const;
    double step_of(const Sums& sums, const Bounds& bounds) const;
    ChildBounds bounds_below(int number, bool has_border) const;
};

} // namespace ceiba
