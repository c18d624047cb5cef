#include "explain/explained_tree.hpp"

#include "explain/quadrature.hpp"
#include "explain/share_kernels.hpp"

#include <algorithm>
#include <functional>

namespace ceiba {

ExplainedTree::ExplainedTree(const TreeArrays& arrays, std::int64_t tree,
                             std::span<const std::int32_t> player_of_column, bool pairs)
    : arrays_(arrays), first_node_(arrays.tree_offsets[tree]), width_(arrays.leaf_width),
      pairs_(pairs), paths_(leaf_paths(arrays, tree, player_of_column)),
      leaf_groups_(bundle_leaves(arrays, tree, paths_)) {}

std::span<const Condition> ExplainedTree::conditions_of(const LeafGroup& leaf_group) const {
    return std::span(leaf_groups_.conditions)
        .subspan(static_cast<std::size_t>(leaf_group.first_condition),
                 static_cast<std::size_t>(leaf_group.n_conditions));
}

std::span<const std::int32_t> ExplainedTree::players_of(const LeafGroup& leaf_group) const {
    return std::span(leaf_groups_.players)
        .subspan(static_cast<std::size_t>(leaf_group.first_player),
                 static_cast<std::size_t>(leaf_group.n_players));
}

std::int64_t ExplainedTree::table_cost(const LeafGroup& leaf_group) const {
    // Filling a table shares work between entries, unless background rows are counted for each.
    return leaf_group.n_entries / leaf_group.n_leaves / (n_background_ > 0 ? 1 : 4);
}

template <class Visit>
void ExplainedTree::for_units(const LeafGroup& leaf_group, const LeafPath& leaf,
                              Visit visit) const {
    const LeafPlayer* own = leaf_groups_.leaf_players.data() + leaf.first_player;
    const std::int64_t n = leaf.n_players;
    for (std::int64_t k = 0; k < n; ++k) visit(k, std::int64_t{own[k].place});
    if (!pairs_) return;
    for (std::int64_t i = 0, unit = n; i < n; ++i) {
        for (std::int64_t j = i + 1; j < n; ++j, ++unit) {
            const auto [first, last] = std::minmax(own[i].place, own[j].place);
            visit(unit, leaf_group.n_players + pair_of(first, last, leaf_group.n_players));
        }
    }
}

void ExplainedTree::meet_background(const std::int8_t* sides, std::int64_t stride,
                                    std::int64_t n_rows) {
    n_background_ = n_rows;
    first_count_.assign(paths_.leaves.size(), 0);
    wide_seen_.resize(paths_.leaves.size());
    std::vector<Condition> conditions;
    std::vector<std::uint16_t> words(static_cast<std::size_t>(stride));
    for (std::size_t l = 0; l < paths_.leaves.size(); ++l) {
        const LeafPath& leaf = paths_.leaves[l];
        conditions.clear();
        for (const PathPlayer& player : paths_.players_of(leaf))
            conditions.push_back({player.first_edge, player.n_edges});
        const auto meet = [&](std::size_t first, std::size_t n) {
            share_kernels().meet(conditions.data() + first, static_cast<int>(n),
                                 paths_.edges.data(), sides, stride, static_cast<int>(stride),
                                 words.data());
        };
        if (leaf.n_players <= kMostConditions) {
            first_count_[l] = static_cast<std::int64_t>(counts_.size());
            counts_.resize(counts_.size() + (std::size_t{1} << leaf.n_players));
            std::uint32_t* counts = counts_.data() + first_count_[l];
            meet(0, conditions.size());
            for (std::int64_t row = 0; row < n_rows; ++row)
                ++counts[words[static_cast<std::size_t>(row)]];
            continue;
        }
        wide_seen_[l] =
            sorted_rows(conditions.size(), static_cast<std::size_t>(n_rows), [&](std::size_t k) {
                meet(k, 1);
                return words.data();
            });
    }
}

// Patterns in descending numeric order (the last player has the highest bit), the order in which
// LeafUnits processes counts.
template <class Meet>
std::vector<ExplainedTree::Seen> ExplainedTree::sorted_rows(std::size_t n_players,
                                                            std::size_t n_rows, Meet meet) {
    std::vector<std::string> holds(n_rows, std::string(n_players, '\0'));
    for (std::size_t k = 0; k < n_players; ++k) {
        const std::uint16_t* words = meet(k);
        for (std::size_t row = 0; row < n_rows; ++row)
            holds[row][n_players - 1 - k] = static_cast<char>(words[row]);
    }
    std::ranges::sort(holds, std::greater<>());
    std::vector<Seen> seen;
    for (std::size_t row = 0; row < n_rows;) {
        const std::size_t first = row;
        while (row < n_rows && holds[row] == holds[first]) ++row;
        const double share = static_cast<double>(row - first) / static_cast<double>(n_rows);
        seen.push_back({{holds[first].rbegin(), holds[first].rend()}, share});
    }
    return seen;
}

void ExplainedTree::fill_table(const LeafGroup& leaf_group, LeafUnits& units, double* table) const {
    const std::int64_t n_bundle_units = n_units(leaf_group), n_words = leaf_group.n_patterns();
    std::fill_n(table, width_ * n_bundle_units * n_words, 0.0);
    std::uint16_t patterns[1 << kMostConditions];
    double scaled[1 << kMostConditions];
    for (std::int32_t l = leaf_group.first_leaf; l < leaf_group.first_leaf + leaf_group.n_leaves;
         ++l) {
        const LeafPath& leaf = paths_.leaves[static_cast<std::size_t>(l)];
        const LeafPlayer* own = leaf_groups_.leaf_players.data() + leaf.first_player;
        const std::vector<double>& of_leaf =
            n_background_ > 0 ? units.of_patterns(leaf.n_players, counts_of(l), n_background_)
                              : units.of_patterns(paths_.players_of(leaf));
        for (std::int64_t word = 0; word < n_words; ++word) {
            int pattern = 0;
            for (int k = 0; k < leaf.n_players; ++k)
                pattern |= (word & own[k].mask) == own[k].want ? 1 << k : 0;
            patterns[word] = static_cast<std::uint16_t>(pattern);
        }
        const std::int64_t n_patterns = std::int64_t{1} << leaf.n_players;
        const double* value = value_of(leaf);
        for (std::int64_t output = 0; output < width_; ++output)
            for_units(leaf_group, leaf, [&](std::int64_t unit, std::int64_t in_bundle) {
                const double* from = of_leaf.data() + unit * n_patterns;
                for (std::int64_t p = 0; p < n_patterns; ++p) scaled[p] = from[p] * value[output];
                share_kernels().look_up(scaled, patterns, static_cast<int>(n_words),
                                        table + (output * n_bundle_units + in_bundle) * n_words);
            });
    }
}

void ExplainedTree::add_directly(const LeafGroup& leaf_group, std::uint16_t word, LeafUnits& units,
                                 double* out) const {
    if (width_ == 1 && !pairs_ && n_background_ == 0 &&
        leaf_group.n_conditions <= kMostOfSeveralLeaves) {
        share_kernels().add_leaves(paths_.leaves.data() + leaf_group.first_leaf,
                                   leaf_group.n_leaves, leaf_groups_.leaf_players.data(),
                                   arrays_.value.data() + first_node_, word, few_points(), out);
        return;
    }
    std::uint8_t holds[kMostConditions];
    for (std::int32_t l = leaf_group.first_leaf; l < leaf_group.first_leaf + leaf_group.n_leaves;
         ++l) {
        const LeafPath& leaf = paths_.leaves[static_cast<std::size_t>(l)];
        const LeafPlayer* own = leaf_groups_.leaf_players.data() + leaf.first_player;
        std::uint32_t pattern = 0;
        for (int k = 0; k < leaf.n_players; ++k) {
            holds[k] = (word & own[k].mask) == own[k].want ? 1 : 0;
            pattern |= static_cast<std::uint32_t>(holds[k]) << k;
        }
        const double* of_leaf =
            n_background_ > 0 ? units.of_row(leaf.n_players, pattern, counts_of(l), n_background_)
                              : units.of_row(paths_.players_of(leaf), holds);
        const double* value = value_of(leaf);
        for (std::int64_t output = 0; output < width_; ++output)
            for_units(leaf_group, leaf, [&](std::int64_t unit, std::int64_t in_bundle) {
                out[output * n_units(leaf_group) + in_bundle] += of_leaf[unit] * value[output];
            });
    }
}

void ExplainedTree::add_wide(const LeafGroup& leaf_group, const std::uint8_t* holds,
                             LeafUnits& units, double* out) const {
    const auto l = static_cast<std::size_t>(leaf_group.first_leaf);
    const LeafPath& leaf = paths_.leaves[l];
    const double* of_leaf;
    if (n_background_ > 0) {
        units.begin(leaf.n_players);
        for (const Seen& seen : wide_seen_[l])
            units.meet(holds, reinterpret_cast<const std::uint8_t*>(seen.holds.data()), seen.share);
        of_leaf = units.units();
    } else {
        of_leaf = units.of_row(paths_.players_of(leaf), holds);
    }
    const double* value = value_of(leaf);
    for (std::int64_t output = 0; output < width_; ++output)
        for_units(leaf_group, leaf, [&](std::int64_t unit, std::int64_t in_bundle) {
            out[output * n_units(leaf_group) + in_bundle] += of_leaf[unit] * value[output];
        });
}

void ExplainedTree::add_base(double* out) const {
    for (std::size_t l = 0; l < paths_.leaves.size(); ++l) {
        const LeafPath& leaf = paths_.leaves[l];
        double share = 1.0;
        if (n_background_ == 0) {
            for (const PathPlayer& player : paths_.players_of(leaf)) share *= player.share;
        } else if (leaf.n_players <= kMostConditions) {
            const std::int64_t all = (std::int64_t{1} << leaf.n_players) - 1;
            share = static_cast<double>(counts_of(static_cast<std::int32_t>(l))[all]) /
                    static_cast<double>(n_background_);
        } else { // the pattern in which all conditions hold comes first
            const Seen& first = wide_seen_[l].front();
            share = first.holds.find('\0') == std::string::npos ? first.share : 0.0;
        }
        for (std::int64_t k = 0; k < width_; ++k) out[k] += share * value_of(leaf)[k];
    }
}

} // namespace ceiba
