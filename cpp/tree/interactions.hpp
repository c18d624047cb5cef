// Interaction constraints: which columns may be split together on a path.
//
// All columns of a path must lie in one of the given sets. Below a path, a node may split a column that
// shares a set with all columns of the path, or that is on the path already. A column in no set may only
// be split alone, or not at all (listed_only). The root may split any other column. All paths to a level
// of a symmetric tree have the same columns.
//
// columns_bypath limits the number of columns on a path; a list of all pairs would be quadratic.
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
