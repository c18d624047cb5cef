// Search limits: the split search that a plan asks for, and which settings it does not support.
//
// The table in search_limits.cpp is the only one. A grower checks it when it is made and before each
// tree; Python makes conflicts of parameters from it (parameters/_conflicts.py).
#pragma once

#include "tree/plan.hpp"

#include <span>
#include <string_view>
#include <vector>

namespace ceiba {

enum class SearchKind { hist, exact, approx, approx_node, linear };

// What is known of a tree besides its plan.
struct SearchFacts {
    bool ranked = false; // there are sorted columns
    bool lists = false;  // some columns are lists (rows/sparse_lists.hpp)
    bool shards = false; // rows are in several shards of this process
    bool remote = false; // rows are in other processes
    bool own_hessians = false, noise = false;
};

struct SearchLimits {
    std::string_view search;
    std::vector<std::string_view> unsupported; // names of settings
};

std::span<const SearchLimits> search_limits(); // by SearchKind
SearchKind search_of(const GrowPlan& plan, bool ranked);
// Raises an error if the search does not support a setting.
void check_search(const GrowPlan& plan, const SearchFacts& facts);

} // namespace ceiba
