#include "explain/linear_leaf_shares.hpp"

#include <algorithm>
#include <map>
#include <unordered_map>
#include <utility>

namespace ceiba {

LinearLeafShares::LinearLeafShares(const TreeArrays& arrays, std::int64_t tree,
                                   std::span<const std::int32_t> player_of_column, bool pairs)
    : arrays_(arrays), pairs_(pairs) {
    if (!arrays.has_linear_leaves()) return;
    const std::int64_t first = arrays.tree_offsets[tree];
    const TreePaths paths = leaf_paths(arrays, tree, player_of_column);
    edges_ = paths.edges;
    for (const LeafPath& path : paths.leaves) {
        const std::int64_t node = first + path.node;
        if (arrays.n_terms_of(node) == 0) continue;
        const auto players = paths.players_of(path);
        Leaf leaf{{players.begin(), players.end()}, {}};
        for (std::int64_t t = arrays.linear_offsets[node]; t < arrays.linear_offsets[node + 1];
             ++t) {
            const std::int32_t player =
                player_of_column[static_cast<std::size_t>(arrays.linear_feature[t])];
            const auto place =
                std::find_if(leaf.players.begin(), leaf.players.end(),
                             [&](const PathPlayer& own) { return own.player == player; });
            leaf.terms.push_back({t, static_cast<std::size_t>(place - leaf.players.begin()), {}});
            if (place == leaf.players.end()) leaf.players.push_back({player, 0, 0, 1.0});
        }
        leaves_.push_back(std::move(leaf));
    }
}

std::string LinearLeafShares::holds_of(const Leaf& leaf, const LinearRows& rows,
                                       std::int64_t row) const {
    std::string holds(leaf.players.size(), 1);
    for (std::size_t k = 0; k < holds.size(); ++k) {
        const PathPlayer& player = leaf.players[k];
        for (std::int32_t e = 0; e < player.n_edges; ++e) {
            const PathEdge& edge = edges_[static_cast<std::size_t>(player.first_edge + e)];
            const bool left = rows.sides[edge.split * rows.stride + row] != 0;
            if (left != edge.left) holds[k] = 0;
        }
    }
    return holds;
}

void LinearLeafShares::meet_background(const LinearRows& rows) {
    has_background_ = true;
    for (Leaf& leaf : leaves_) {
        // Sorted by the met conditions and offsets, so that the row order does not matter.
        std::map<std::string, std::vector<std::int64_t>> groups;
        for (std::int64_t row = 0; row < rows.n_rows; ++row)
            groups[holds_of(leaf, rows, row)].push_back(row);
        for (Term& own : leaf.terms) {
            const LinearLeafTerm term = linear_term(arrays_, own.term);
            own.seen.clear();
            for (const auto& [holds, members] : groups) {
                std::vector<double> offsets;
                for (const std::int64_t row : members)
                    offsets.push_back(term.offset(rows.value(row, term.feature)));
                std::sort(offsets.begin(), offsets.end());
                double sum = 0;
                for (const double offset : offsets) sum += offset;
                const auto n = static_cast<double>(rows.n_rows);
                own.seen.push_back({holds, static_cast<double>(members.size()) / n, sum / n});
            }
        }
    }
}

LinearLeafShares::Units LinearLeafShares::units_of(const Leaf& leaf, const Term& term,
                                                   const std::string& holds,
                                                   LeafUnits& units) const {
    const std::size_t n = leaf.players.size();
    const auto n_units = static_cast<std::size_t>(n_units_of(static_cast<std::int64_t>(n), pairs_));
    Units out{std::vector<double>(n_units, 0.0), {}};
    const auto flags = [](const std::string& text) {
        return reinterpret_cast<const std::uint8_t*>(text.data());
    };
    if (!has_background_) {
        if (holds[term.player] == 0) return out;
        std::vector<PathPlayer> players = leaf.players;
        players[term.player].share = 0; // if absent, the regressor is at its mean
        const double* found = units.of_row(players, flags(holds));
        out.own.assign(found, found + n_units);
        return out;
    }
    std::string never = holds;
    never[term.player] = 0;
    units.begin(static_cast<std::int64_t>(n));
    for (const Seen& seen : term.seen) {
        std::string others = seen.holds;
        others[term.player] = 0;
        units.meet(flags(holds), flags(others), seen.share);
    }
    out.own.assign(units.units(), units.units() + n_units);
    units.begin(static_cast<std::int64_t>(n));
    for (const Seen& seen : term.seen) units.meet(flags(never), flags(seen.holds), seen.offset);
    out.others.assign(units.units(), units.units() + n_units);
    return out;
}

void LinearLeafShares::add(const LinearRows& rows, LeafUnits& units, const Visit& visit) const {
    const std::int64_t width = arrays_.leaf_width;
    for (const Leaf& leaf : leaves_) {
        const std::size_t n = leaf.players.size();
        std::vector<std::string> holds;
        for (std::int64_t row = 0; row < rows.n_rows; ++row)
            holds.push_back(holds_of(leaf, rows, row));
        for (const Term& own : leaf.terms) {
            const LinearLeafTerm term = linear_term(arrays_, own.term);
            const double* slopes = arrays_.linear_slope.data() + own.term * width;
            std::unordered_map<std::string, Units> known;
            for (std::int64_t row = 0; row < rows.n_rows; ++row) {
                const std::string& met = holds[static_cast<std::size_t>(row)];
                if (!has_background_ && met[own.player] == 0) continue;
                auto place = known.find(met);
                if (place == known.end())
                    place = known.emplace(met, units_of(leaf, own, met, units)).first;
                const Units& found = place->second;
                const double offset = term.offset(rows.value(row, term.feature));
                const auto give = [&](std::size_t unit, std::size_t i, std::int64_t j) {
                    const double part = found.own[unit] * offset +
                                        (found.others.empty() ? 0.0 : found.others[unit]);
                    if (part == 0) return;
                    const std::int32_t other =
                        j < 0 ? -1 : leaf.players[static_cast<std::size_t>(j)].player;
                    for (std::int64_t k = 0; k < width; ++k)
                        visit(leaf.players[i].player, other, k, row, slopes[k] * part);
                };
                for (std::size_t i = 0; i < n; ++i) give(i, i, -1);
                std::size_t unit = n;
                for (std::size_t i = 0; pairs_ && i < n; ++i)
                    for (std::size_t j = i + 1; j < n; ++j)
                        give(unit++, i, static_cast<std::int64_t>(j));
            }
        }
    }
}

void LinearLeafShares::add_base(double* out) const {
    if (!has_background_) return;
    const std::int64_t width = arrays_.leaf_width;
    for (const Leaf& leaf : leaves_)
        for (const Term& term : leaf.terms)
            for (const Seen& seen : term.seen)
                if (seen.holds.find('\0') == std::string::npos)
                    for (std::int64_t k = 0; k < width; ++k)
                        out[k] += arrays_.linear_slope[term.term * width + k] * seen.offset;
}

} // namespace ceiba
