// The nodes of a tree that grows, or has grown, and where its rows are.
#pragma once

#include "gradient/quantize.hpp"
#include "rows/exchange.hpp"
#include "split/bounds.hpp"
#include "split/scan.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace ceiba {

struct Node {
    int parent = -1, depth = 0;
    int left = -1, right = -1;
    std::int64_t n_rows = 0;
    Sums sums;
    std::vector<Sums> more_sums; // of the second output and those after it, where there are several
    double score = 0;
    Bounds bounds; // of its constant, and of every leaf below it
    int histogram = -1;
    Split split;         // the best one; applied where left >= 0
    double extra_l2 = 0; // penalty of its constant, besides reg_lambda
    // By column, 1: no split of it gains anything in a node above or, when searched, in this one.
    // Null: there are none. Nodes share it where it is the same.
    std::shared_ptr<const std::vector<std::uint8_t>> hopeless;
    bool is_hopeless(int column) const {
        return hopeless && (*hopeless)[static_cast<std::size_t>(column)] != 0;
    }

    bool is_leaf() const { return left < 0; }
};

class TreeLinearLeaves; // leaf/linear_leaves.hpp

struct GrownTree {
    std::vector<Node> nodes;
    std::unique_ptr<TreeRows> rows; // where its rows are
    Extent extent;                  // of the gradients it was grown from
    bool knows_extent = true;       // of all its rows; not where rows were taken later
    bool own_units = false;         // GrowPlan::own_units was needed: leaves are exact too
    double repeats = 0;             // of its rows, those of weight k k times
    // The linear leaves of this tree; or, where they are not current, of the one that was here before,
    // whose memory serves again.
    std::shared_ptr<TreeLinearLeaves> linear_leaves;
    bool has_current_linear_leaves = false;
};

} // namespace ceiba
