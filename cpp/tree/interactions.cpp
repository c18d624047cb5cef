#include "tree/interactions.hpp"

#include "base/errors.hpp"
#include "tree/node.hpp"

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>

namespace ceiba {

Interactions::Interactions(const std::vector<std::vector<int>>& sets, bool listed_only,
                           int columns_bypath, int n_columns)
    : listed_only_(listed_only && !sets.empty()),
      columns_bypath_(static_cast<std::size_t>(columns_bypath)), sets_(sets) {
    if (columns_bypath < 0)
        throw InputError("columns_bypath must be 0 or more. Got " + std::to_string(columns_bypath) +
                         ".");
    if (sets_.empty()) return;
    sets_of_.resize(static_cast<std::size_t>(n_columns));
    for (std::size_t s = 0; s < sets_.size(); ++s) {
        for (const int column : sets_[s]) {
            if (column < 0 || column >= n_columns)
                throw InputError("interaction sets must hold columns between 0 and " +
                                 std::to_string(n_columns - 1) + ". Got " + std::to_string(column) +
                                 ".");
            std::vector<int>& own = sets_of_[static_cast<std::size_t>(column)];
            if (own.empty() || own.back() != static_cast<int>(s))
                own.push_back(static_cast<int>(s));
        }
    }
}

std::vector<int> Interactions::allowed(const std::vector<int>& columns,
                                       std::span<const int> path) const {
    if (path.empty()) {
        std::vector<int> listed;
        if (!listed_only_) return columns;
        for (const int column : columns)
            if (!sets_of_[static_cast<std::size_t>(column)].empty()) listed.push_back(column);
        return listed;
    }
    if (columns_bypath_ > 0 && path.size() >= columns_bypath_) {
        std::vector<int> again;
        std::set_intersection(columns.begin(), columns.end(), path.begin(), path.end(),
                              std::back_inserter(again));
        return again;
    }
    return sets_.empty() ? columns : sharing_sets(columns, path);
}

std::vector<int> Interactions::sharing_sets(const std::vector<int>& columns,
                                            std::span<const int> path) const {
    std::vector<int> common = sets_of_[static_cast<std::size_t>(path.front())];
    for (const int column : path.subspan(1)) {
        const std::vector<int>& own = sets_of_[static_cast<std::size_t>(column)];
        std::vector<int> both;
        std::set_intersection(common.begin(), common.end(), own.begin(), own.end(),
                              std::back_inserter(both));
        common = std::move(both);
    }
    std::vector<char> may(sets_of_.size(), 0);
    for (const int column : path) may[static_cast<std::size_t>(column)] = 1;
    for (const int set : common)
        for (const int column : sets_[static_cast<std::size_t>(set)])
            may[static_cast<std::size_t>(column)] = 1;
    std::vector<int> found;
    for (const int column : columns)
        if (may[static_cast<std::size_t>(column)] != 0) found.push_back(column);
    return found;
}

std::vector<int> path_to(std::span<const Node> nodes, int number) {
    std::vector<int> path;
    for (int above = nodes[static_cast<std::size_t>(number)].parent; above >= 0;
         above = nodes[static_cast<std::size_t>(above)].parent)
        path.push_back(nodes[static_cast<std::size_t>(above)].split.decision.feature);
    std::sort(path.begin(), path.end());
    path.erase(std::unique(path.begin(), path.end()), path.end());
    return path;
}

} // namespace ceiba
