#include "explain/leaf_paths.hpp"

#include <algorithm>
#include <iterator>

namespace ceiba {

namespace {

class PathFinder {
  public:
    PathFinder(const TreeArrays& arrays, std::int64_t tree,
               std::span<const std::int32_t> player_of_column)
        : a_(arrays), first_(arrays.tree_offsets[tree]), player_of_column_(player_of_column),
          split_of_node_(static_cast<std::size_t>(arrays.tree_offsets[tree + 1] - first_)) {
        std::int32_t n_splits = 0;
        for (std::size_t node = 0; node < split_of_node_.size(); ++node)
            split_of_node_[node] =
                a_.feature[first_ + static_cast<std::int64_t>(node)] < 0 ? -1 : n_splits++;
    }

    // Depth first, without recursion: the depth can equal the number of leaves.
    TreePaths find() {
        std::vector<Visit> open{{0, 0, {}}};
        while (!open.empty()) {
            const Visit visit = open.back();
            open.pop_back();
            way_.resize(visit.depth);
            if (visit.depth > 0) way_.back() = visit.step;
            const std::int64_t i = first_ + visit.node;
            if (a_.feature[i] < 0) {
                add_leaf(visit.node);
                continue;
            }
            way_.emplace_back();
            const std::int32_t player = player_of_column_[static_cast<std::size_t>(a_.feature[i])];
            const std::int32_t split = split_of_node_[static_cast<std::size_t>(visit.node)];
            const double left = share_of_left(i);
            open.push_back({a_.right[i], visit.depth + 1, {player, {split, false}, 1.0 - left}});
            open.push_back({a_.left[i], visit.depth + 1, {player, {split, true}, left}});
        }
        return std::move(paths_);
    }

  private:
    struct Step {
        std::int32_t player = -1;
        PathEdge edge{};
        double share = 0;
    };
    struct Visit {
        std::int32_t node;
        std::size_t depth;
        Step step; // leads to the node
    };

    double share_of_left(std::int64_t i) const {
        const double left = a_.count[first_ + a_.left[i]], right = a_.count[first_ + a_.right[i]];
        return left + right > 0 ? left / (left + right) : 0.5;
    }

    void add_leaf(std::int32_t node) {
        const auto first_player = static_cast<std::int32_t>(paths_.players.size());
        order_.assign(way_.size(), 0);
        for (std::size_t s = 0; s < way_.size(); ++s) order_[s] = static_cast<std::int32_t>(s);
        // Group the steps by player; players are ordered by their first step.
        for (std::size_t s = 0; s < way_.size(); ++s) {
            for (std::size_t t = 0; t < s; ++t) {
                if (way_[t].player == way_[s].player) {
                    order_[s] = order_[t];
                    break;
                }
            }
        }
        for (std::size_t s = 0; s < way_.size(); ++s) {
            if (order_[s] != static_cast<std::int32_t>(s)) continue;
            PathPlayer player{way_[s].player, static_cast<std::int32_t>(paths_.edges.size()), 0,
                              1.0};
            for (std::size_t t = s; t < way_.size(); ++t) {
                if (order_[t] != static_cast<std::int32_t>(s)) continue;
                paths_.edges.push_back(way_[t].edge);
                paths_.depths.push_back(static_cast<std::int32_t>(t));
                player.share *= way_[t].share;
                ++player.n_edges;
            }
            paths_.players.push_back(player);
        }
        paths_.leaves.push_back(
            {node, first_player, static_cast<std::int32_t>(paths_.players.size()) - first_player});
    }

    const TreeArrays& a_;
    std::int64_t first_;
    std::span<const std::int32_t> player_of_column_;
    std::vector<std::int32_t> split_of_node_; // -1: a leaf
    std::vector<Step> way_;                   // from the root to the current node
    std::vector<std::int32_t> order_;
    TreePaths paths_;
};

} // namespace

TreePaths leaf_paths(const TreeArrays& arrays, std::int64_t tree,
                     std::span<const std::int32_t> player_of_column) {
    return PathFinder(arrays, tree, player_of_column).find();
}

} // namespace ceiba
