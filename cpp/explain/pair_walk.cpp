#include "explain/pair_walk.hpp"

#include "base/errors.hpp"
#include "explain/leaf_units.hpp"

#include <algorithm>

namespace ceiba {

namespace {

bool bit(const std::uint64_t* words, std::int32_t number) {
    return (words[number / 64] >> (number % 64) & 1) != 0;
}

} // namespace

PairTrees::PairTrees(const TreeArrays& arrays, std::int64_t tree_begin, std::int64_t tree_end,
                     const StatisticsTables& statistics,
                     const std::vector<std::vector<std::int32_t>>& columns)
    : arrays_(arrays), first_node_(arrays.tree_offsets[tree_begin]) {
    const std::int64_t end = arrays.tree_offsets[tree_end];
    const std::size_t n_kept = columns.size() - statistics.n_columns();
    std::vector<bool> used(statistics.n_parts());
    for (std::int64_t i = first_node_; i < end; ++i) {
        if (arrays.feature[i] < 0) continue;
        const auto column = static_cast<std::size_t>(arrays.feature[i]);
        if (columns[column].size() > 1) used[statistics.part_of(column - n_kept)] = true;
    }
    add_parts(statistics, columns, used);
    std::vector<std::int32_t> mixed_of_part(used.size(), -1);
    for (std::size_t m = 0; m < parts_.size(); ++m)
        mixed_of_part[parts_[m].part] = static_cast<std::int32_t>(m);
    nodes_.reserve(static_cast<std::size_t>(end - first_node_));
    for (std::int64_t tree = tree_begin; tree < tree_end; ++tree) {
        std::int32_t n_splits = 0;
        for (std::int64_t i = arrays.tree_offsets[tree]; i < arrays.tree_offsets[tree + 1]; ++i) {
            Node node{-1, -1, -1, -1, -1, nullptr, 0.0};
            if (arrays.feature[i] >= 0) {
                const auto column = static_cast<std::size_t>(arrays.feature[i]);
                node.left = arrays.left[i];
                node.right = arrays.right[i];
                node.split = n_splits++;
                if (columns[column].size() == 1) {
                    node.player = columns[column][0];
                } else {
                    node.mixed = mixed_of_part[statistics.part_of(column - n_kept)];
                    node.statistics = statistics.values_of(column - n_kept).data();
                    node.threshold = arrays.threshold[i];
                }
            }
            nodes_.push_back(node);
        }
    }
}

void PairTrees::add_parts(const StatisticsTables& statistics,
                          const std::vector<std::vector<std::int32_t>>& columns,
                          const std::vector<bool>& used) {
    const std::size_t n_kept = columns.size() - statistics.n_columns();
    for (std::size_t column = 0; column < statistics.n_columns(); ++column) {
        const std::size_t part = statistics.part_of(column);
        if (!used[part] || (!parts_.empty() && parts_.back().part == part)) continue;
        const std::vector<std::int32_t>& players = columns[n_kept + column];
        if (players.size() > kMostMixed || players.size() != statistics.sources(part).size())
            throw InputError(
                "A combination must have at most eight columns, each owned by a player.");
        parts_.push_back({part, players, {}, n_places_});
        n_places_ += std::size_t{1} << players.size();
        level_players_.insert(level_players_.end(), players.begin(), players.end());
    }
    std::ranges::sort(level_players_);
    level_players_.erase(std::unique(level_players_.begin(), level_players_.end()),
                         level_players_.end());
    for (MixedPart& part : parts_)
        for (const std::int32_t player : part.players)
            part.levels.push_back(static_cast<std::size_t>(
                std::ranges::lower_bound(level_players_, player) - level_players_.begin()));
}

PairWalk::PairWalk(const PairTrees& trees, std::int64_t n_players, std::int64_t n_outputs,
                   bool pairs)
    : trees_(trees), n_players_(n_players), n_outputs_(n_outputs), pairs_(pairs),
      states_(static_cast<std::size_t>(n_players), open) {}

void PairWalk::add(std::int64_t tree, const RowPair& rows, std::int64_t first_output, double share,
                   double* sums) {
    const std::int64_t first = trees_.arrays_.tree_offsets[tree];
    nodes_ = trees_.nodes_.data() + (first - trees_.first_node_);
    values_ = trees_.arrays_.value.data() + first * trees_.arrays_.leaf_width;
    rows_ = rows;
    first_output_ = first_output;
    share_ = share;
    sums_ = sums;
    walk(0);
}

// Recurses once per decided player, so at most n_players deep.
void PairWalk::walk(std::int32_t place) {
    for (;;) {
        const PairTrees::Node& node = nodes_[place];
        if (node.left < 0) return add_leaf(place);
        std::int32_t player = node.player;
        bool left = true;
        if (player < 0) {
            player = decider(node, left);
            if (player < 0) {
                place = left ? node.left : node.right;
                continue;
            }
        } else {
            const bool own = bit(rows_.own, node.split), other = bit(rows_.other, node.split);
            const State state = states_[static_cast<std::size_t>(player)];
            if (own == other || state != open) {
                place = (state == absent ? other : own) ? node.left : node.right;
                continue;
            }
        }
        State& state = states_[static_cast<std::size_t>(player)];
        state = present;
        present_.push_back(player);
        walk(place);
        present_.pop_back();
        state = absent;
        absent_.push_back(player);
        walk(place);
        absent_.pop_back();
        state = open;
        return;
    }
}

std::int32_t PairWalk::decider(const PairTrees::Node& node, bool& left) const {
    const MixedPart& part = trees_.parts_[static_cast<std::size_t>(node.mixed)];
    const std::int32_t* places = rows_.places + part.first_place;
    const std::size_t n = part.players.size();
    unsigned decided = 0, want = 0;
    for (std::size_t k = 0; k < n; ++k) {
        const State state = states_[static_cast<std::size_t>(part.players[k])];
        decided |= static_cast<unsigned>(state != open) << k;
        want |= static_cast<unsigned>(state == present) << k;
    }
    const unsigned n_subsets = 1u << n, undecided = (n_subsets - 1) & ~decided;
    bool goes_left[1 << kMostMixed], any_left = false, any_right = false;
    for (unsigned more = undecided;; more = (more - 1) & undecided) {
        const unsigned subset = want | more;
        const bool goes = node.statistics[places[subset]] <= node.threshold;
        goes_left[subset] = goes;
        any_left |= goes;
        any_right |= !goes;
        if (more == 0) break;
    }
    left = any_left;
    if (!any_left || !any_right) return -1;
    // Neighboring subsets differ in one player, so one of the players makes a difference.
    for (std::size_t k = 0; k < n; ++k) {
        const unsigned own = 1u << k;
        if ((undecided & own) == 0) continue;
        const unsigned others = undecided & ~own;
        for (unsigned more = others;; more = (more - 1) & others) {
            if (goes_left[want | more] != goes_left[want | more | own]) return part.players[k];
            if (more == 0) break;
        }
    }
    return -1;
}

void PairWalk::add_to(std::int32_t player, std::int32_t other, double amount, const double* value) {
    const std::int64_t place = pairs_ ? player * n_players_ + other : player;
    double* own = sums_ + place * n_outputs_ + first_output_;
    for (std::int64_t k = 0; k < trees_.arrays_.leaf_width; ++k) own[k] += amount * value[k];
}

void PairWalk::add_leaf(std::int32_t node) {
    const double* value = values_ + node * trees_.arrays_.leaf_width;
    const auto u = std::ssize(present_), w = std::ssize(absent_);
    if (u + w == 0) return;
    const double gain = u > 0 ? share_ * shapley_weight(u - 1, w) : 0,
                 loss = w > 0 ? -share_ * shapley_weight(u, w - 1) : 0;
    for (const std::int32_t player : present_) add_to(player, player, gain, value);
    for (const std::int32_t player : absent_) add_to(player, player, loss, value);
    if (!pairs_) return;
    const auto add_pair = [&](std::int32_t i, std::int32_t j, double amount) {
        add_to(i, j, amount, value);
        add_to(j, i, amount, value);
    };
    const double both_present = u > 1 ? 0.5 * share_ * shapley_weight(u - 2, w) : 0,
                 both_absent = w > 1 ? 0.5 * share_ * shapley_weight(u, w - 2) : 0,
                 one_of_each = u > 0 && w > 0 ? -0.5 * share_ * shapley_weight(u - 1, w - 1) : 0;
    for (std::size_t i = 0; i < present_.size(); ++i) {
        for (std::size_t j = i + 1; j < present_.size(); ++j)
            add_pair(present_[i], present_[j], both_present);
        for (const std::int32_t j : absent_) add_pair(present_[i], j, one_of_each);
    }
    for (std::size_t i = 0; i < absent_.size(); ++i)
        for (std::size_t j = i + 1; j < absent_.size(); ++j)
            add_pair(absent_[i], absent_[j], both_absent);
}

} // namespace ceiba
