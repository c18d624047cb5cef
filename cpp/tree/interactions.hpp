// Interaction constraints: which columns may follow which on the way to a leaf.
//
// The columns of a path must lie in one of the given sets. Below a path, a column may be split that
// lies in a set with all columns of the path, or is itself on the path. So a column that is in no
// set may be split, but only with itself, unless only those that are in one may be split at all.
// The root may otherwise split any column. All paths of a symmetric tree to one level have the same
// columns, so one answer holds for the level.
//
// "Any two columns" is a limit of columns on a path and not a list of all pairs, which would grow
// with the square of the columns.
#pragma once

#include <span>
#include <vector>

namespace ceiba {

struct Node;

class Interactions {
  public:
    // Without sets all columns may meet, as many as the limit allows (0: any number).
    Interactions(const std::vector<std::vector<int>>& sets, bool listed_only, int columns_bypath,
                 int n_columns);

    bool empty() const { return sets_.empty() && columns_bypath_ == 0; }
    // Those of `columns` (increasing) that a node may split whose path has split `path`.
    std::vector<int> allowed(const std::vector<int>& columns, std::span<const int> path) const;

  private:
    std::vector<int> sharing_sets(const std::vector<int>& columns, std::span<const int> path) const;

    bool listed_only_;
    std::size_t columns_bypath_;
    std::vector<std::vector<int>> sets_;
    std::vector<std::vector<int>> sets_of_; // by column, increasing
};

// The columns that were split above a node, each once, in increasing order.
std::vector<int> path_to(std::span<const Node> nodes, int number);

} // namespace ceiba
