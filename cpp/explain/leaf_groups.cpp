#include "explain/leaf_groups.hpp"

#include <algorithm>
#include <compare>
#include <iterator>
#include <map>
#include <span>

namespace ceiba {

namespace {

// The condition that a split tests.
struct Question {
    std::int32_t feature;
    bool missing_left;
    double threshold;
    std::span<const std::uint64_t> levels;
    bool by_set;

    bool operator<(const Question& other) const {
        if (feature != other.feature) return feature < other.feature;
        if (missing_left != other.missing_left) return missing_left < other.missing_left;
        if (by_set != other.by_set) return by_set < other.by_set;
        if (threshold != other.threshold) return threshold < other.threshold;
        return std::ranges::lexicographical_compare(levels, other.levels);
    }
};

class Bundler {
  public:
    Bundler(const TreeArrays& arrays, std::int64_t tree, const TreePaths& paths)
        : a_(arrays), first_(arrays.tree_offsets[tree]),
          n_nodes_(static_cast<std::int32_t>(arrays.tree_offsets[tree + 1] - first_)),
          paths_(paths), splits_(static_cast<std::size_t>(n_nodes_)),
          n_leaves_(static_cast<std::size_t>(n_nodes_)) {}

    TreeLeafGroups leaf_group() {
        number_splits();
        out_.leaf_players.resize(paths_.players.size());
        std::vector<std::int32_t> open{0};
        std::int32_t leaf = 0; // the next one, from left to right
        std::vector<std::int32_t> depths{0};
        while (!open.empty()) {
            const std::int32_t node = open.back(), depth = depths.back();
            open.pop_back();
            depths.pop_back();
            const bool is_leaf = a_.feature[first_ + node] < 0;
            if (is_leaf || fits(node, leaf, depth)) {
                add_bundle(node, leaf, depth);
                leaf += n_leaves_[static_cast<std::size_t>(node)];
                continue;
            }
            open.insert(open.end(), {a_.right[first_ + node], a_.left[first_ + node]});
            depths.insert(depths.end(), 2, depth + 1);
        }
        return std::move(out_);
    }

  private:
    static constexpr std::size_t kTooMany = kMostOfSeveralLeaves + 1;

    // Collect the distinct questions at and below each node, up to the limit.
    void number_splits() {
        std::map<Question, std::int32_t> known;
        std::vector<std::int32_t> question(static_cast<std::size_t>(n_nodes_), -1);
        std::int32_t split = 0;
        for (std::int32_t node = 0; node < n_nodes_; ++node) {
            const std::int64_t i = first_ + node;
            if (a_.feature[i] < 0) continue;
            const bool by_set = a_.splits_by_set(i);
            const Question asked{a_.feature[i], a_.missing_left[i] != 0, a_.threshold[i],
                                 by_set ? a_.set_at(i) : std::span<const std::uint64_t>{}, by_set};
            const auto [place, is_new] =
                known.try_emplace(asked, static_cast<std::int32_t>(first_split_.size()));
            if (is_new) first_split_.push_back(split);
            question[static_cast<std::size_t>(node)] = place->second;
            question_of_split_.push_back(place->second);
            ++split;
        }
        for (std::int32_t node = n_nodes_ - 1; node >= 0; --node) { // children come after parents
            auto& own = splits_[static_cast<std::size_t>(node)];
            const std::int64_t i = first_ + node;
            if (a_.feature[i] < 0) {
                n_leaves_[static_cast<std::size_t>(node)] = 1;
                continue;
            }
            const auto left = static_cast<std::size_t>(a_.left[i]),
                       right = static_cast<std::size_t>(a_.right[i]);
            n_leaves_[static_cast<std::size_t>(node)] = n_leaves_[left] + n_leaves_[right];
            std::ranges::set_union(splits_[left], splits_[right], std::back_inserter(own));
            const std::int32_t asked = question[static_cast<std::size_t>(node)];
            const auto place = std::ranges::lower_bound(own, asked);
            if (place == own.end() || *place != asked) own.insert(place, asked);
            if (own.size() > kTooMany) own.resize(kTooMany);
        }
    }

    // The first edges of a player's condition are on the path to the node.
    std::int32_t edges_above(const PathPlayer& player, std::int32_t depth) const {
        const auto depths = std::span(paths_.depths)
                                .subspan(static_cast<std::size_t>(player.first_edge),
                                         static_cast<std::size_t>(player.n_edges));
        return static_cast<std::int32_t>(std::ranges::lower_bound(depths, depth) - depths.begin());
    }

    bool fits(std::int32_t node, std::int32_t first_leaf, std::int32_t depth) const {
        std::size_t n = splits_[static_cast<std::size_t>(node)].size();
        if (n >= kTooMany) return false;
        for (const PathPlayer& player : players_of(first_leaf))
            n += edges_above(player, depth) > 0 ? 1 : 0;
        return n <= kMostOfSeveralLeaves;
    }

    std::span<const PathPlayer> players_of(std::int32_t leaf) const {
        return paths_.players_of(paths_.leaves[static_cast<std::size_t>(leaf)]);
    }

    void add_condition(std::span<const PathEdge> edges) {
        out_.conditions.push_back({static_cast<std::int32_t>(out_.edges.size()),
                                   static_cast<std::int32_t>(edges.size())});
        out_.edges.insert(out_.edges.end(), edges.begin(), edges.end());
    }

    void add_bundle(std::int32_t node, std::int32_t first_leaf, std::int32_t depth) {
        const auto& questions = splits_[static_cast<std::size_t>(node)];
        LeafGroup leaf_group{first_leaf,
                             n_leaves_[static_cast<std::size_t>(node)],
                             static_cast<std::int32_t>(out_.conditions.size()),
                             0,
                             static_cast<std::int32_t>(out_.players.size()),
                             0,
                             0};
        // The path to the node is the same for all of its leaves.
        for (const PathPlayer& player : players_of(first_leaf)) {
            const std::int32_t n_above = edges_above(player, depth);
            if (n_above == 0) continue;
            add_condition(paths_.edges_of(player).subspan(0, static_cast<std::size_t>(n_above)));
            out_.players.push_back(player.player);
        }
        const auto n_way = static_cast<std::int32_t>(out_.players.size()) - leaf_group.first_player;
        for (const std::int32_t question : questions) {
            const PathEdge left{first_split_[static_cast<std::size_t>(question)], true};
            add_condition({&left, 1});
        }
        leaf_group.n_conditions =
            static_cast<std::int32_t>(out_.conditions.size()) - leaf_group.first_condition;
        for (std::int32_t leaf = first_leaf; leaf < first_leaf + leaf_group.n_leaves; ++leaf) {
            add_leaf(leaf, depth, n_way, questions, leaf_group);
            leaf_group.n_entries +=
                leaf_group.is_wide() ? 0 : std::int64_t{1} << players_of(leaf).size();
        }
        leaf_group.n_players =
            static_cast<std::int32_t>(out_.players.size()) - leaf_group.first_player;
        out_.leaf_groups.push_back(leaf_group);
    }

    void add_leaf(std::int32_t leaf, std::int32_t depth, std::int32_t n_way,
                  const std::vector<std::int32_t>& questions, const LeafGroup& leaf_group) {
        for (const PathPlayer& player : players_of(leaf)) {
            const auto begin = out_.players.begin() + leaf_group.first_player;
            auto place = static_cast<std::int32_t>(
                std::find(begin, out_.players.end(), player.player) - begin);
            if (begin + place == out_.players.end()) out_.players.push_back(player.player);
            LeafPlayer& own =
                out_.leaf_players[static_cast<std::size_t>(&player - paths_.players.data())];
            own = {player.share, place, 0, 0};
            if (leaf_group.is_wide()) continue;
            const std::int32_t n_above = edges_above(player, depth);
            if (n_above > 0) own.mask = own.want = static_cast<std::uint16_t>(1 << place);
            const auto edges = paths_.edges_of(player);
            bool never = false;
            for (const PathEdge& edge : edges.subspan(static_cast<std::size_t>(n_above))) {
                const std::int32_t question =
                    question_of_split_[static_cast<std::size_t>(edge.split)];
                const auto bit =
                    n_way + (std::ranges::lower_bound(questions, question) - questions.begin());
                const auto flag = static_cast<std::uint16_t>(1 << bit);
                never = never || ((own.mask & flag) != 0 && ((own.want & flag) != 0) != edge.left);
                own.mask |= flag;
                if (edge.left) own.want |= flag;
            }
            // Contradictory answers on one path: no word has a bit under an empty mask.
            if (never) own.mask = 0, own.want = 1;
        }
    }

    const TreeArrays& a_;
    std::int64_t first_;
    std::int32_t n_nodes_;
    const TreePaths& paths_;
    std::vector<std::vector<std::int32_t>> splits_; // per node: questions, in order
    std::vector<std::int32_t> n_leaves_;            // per node
    std::vector<std::int32_t> question_of_split_, first_split_;
    TreeLeafGroups out_;
};

} // namespace

TreeLeafGroups bundle_leaves(const TreeArrays& arrays, std::int64_t tree, const TreePaths& paths) {
    return Bundler(arrays, tree, paths).leaf_group();
}

} // namespace ceiba
