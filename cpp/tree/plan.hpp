// What a user asked of a tree, as plain numbers. Made once by growing.py; read by every stage of
// the grower.
#pragma once

#include <cstdint>
#include <limits>

namespace ceiba {

enum class GrowPolicy { leafwise, depthwise, symmetric };

struct GrowPlan {
    GrowPolicy grow_policy = GrowPolicy::leafwise;
    int max_depth = 0;  // 0: no limit
    int max_leaves = 0; // 0: no limit
    std::int64_t min_samples_leaf = 1;
    double min_child_weight = 0;
    double reg_lambda = 0, reg_alpha = 0;
    double min_split_gain = 0;
    double max_delta_step = 0; // 0: no limit
    double colsample_bytree = 1, colsample_bylevel = 1, colsample_bynode = 1;
    std::uint64_t seed = 0;
    bool weighted_counts = true;     // whole weights count as rows
    double sketch_eps = 0;           // approx: the error of candidates; 0: they are not proposed
    bool candidates_by_node = false; // approx: proposed for every node, not for every tree

    double step_limit() const {
        return max_delta_step > 0 ? max_delta_step : std::numeric_limits<double>::infinity();
    }
};

} // namespace ceiba
