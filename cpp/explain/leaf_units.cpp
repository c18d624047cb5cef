#include "explain/leaf_units.hpp"

#include "explain/quadrature.hpp"
#include "explain/share_kernels.hpp"

#include <algorithm>
#include <bit>

namespace ceiba {

namespace {

// a! b! / (a + b + 1)!, the integral of t^a (1 - t)^b over [0, 1].
double weight_of(std::int64_t a, std::int64_t b) {
    double weight = 1.0 / static_cast<double>(a + b + 1);
    const std::int64_t few = std::min(a, b), many = std::max(a, b);
    for (std::int64_t k = 1; k <= few; ++k)
        weight *= static_cast<double>(k) / static_cast<double>(many + k);
    return weight;
}

} // namespace

const double* LeafUnits::of_row(std::span<const PathPlayer> players, const std::uint8_t* holds) {
    const std::size_t n = players.size();
    shares_.resize(n);
    scratch_.resize(3 * kPointsAtOnce * n);
    units_.resize(static_cast<std::size_t>(n_units_of(static_cast<std::int64_t>(n), pairs_)));
    for (std::size_t k = 0; k < n; ++k) shares_[k] = players[k].share;
    const Quadrature& quadrature = quadrature_for(static_cast<std::int64_t>(n));
    const LeafTerms terms{static_cast<int>(n),       shares_.data(),
                          holds,                     quadrature.points.data(),
                          quadrature.rests.data(),   quadrature.weights.data(),
                          quadrature.n_groups(),     scratch_.data()};
    share_kernels().shares(terms, units_.data());
    if (pairs_) share_kernels().pairs(terms, units_.data() + n);
    return units_.data();
}

const std::vector<double>& LeafUnits::of_patterns(std::span<const PathPlayer> players) {
    const std::size_t n = players.size(), n_patterns = std::size_t{1} << n;
    const auto n_units =
        static_cast<std::size_t>(n_units_of(static_cast<std::int64_t>(n), pairs_));
    table_.resize(n_units * n_patterns);
    holds_.resize(n);
    for (std::size_t pattern = 0; pattern < n_patterns; ++pattern) {
        for (std::size_t k = 0; k < n; ++k) holds_[k] = pattern >> k & 1;
        const double* units = of_row(players, holds_.data());
        for (std::size_t u = 0; u < n_units; ++u) table_[u * n_patterns + pattern] = units[u];
    }
    return table_;
}

void LeafUnits::begin_pairs_of_rows(std::int64_t n_players) {
    units_.assign(static_cast<std::size_t>(n_units_of(n_players, pairs_)), 0.0);
    holds_.resize(static_cast<std::size_t>(n_players));
}

// A coalition gets to the leaf if it has every player whose condition only the row itself meets, and
// none of those whose condition only the other row meets. A condition that neither meets leaves
// nothing to share.
void LeafUnits::add_pair_of_rows(const std::uint8_t* own, const std::uint8_t* other,
                                 double share) {
    const auto n = static_cast<std::int64_t>(holds_.size());
    only_own_.clear();
    only_other_.clear();
    for (std::int64_t k = 0; k < n; ++k) {
        if (own[k] == 0 && other[k] == 0) return;
        if (other[k] == 0) only_own_.push_back(static_cast<std::int32_t>(k));
        if (own[k] == 0) only_other_.push_back(static_cast<std::int32_t>(k));
    }
    const auto u = std::ssize(only_own_), w = std::ssize(only_other_);
    const double gain = u > 0 ? share * weight_of(u - 1, w) : 0,
                 loss = w > 0 ? share * weight_of(u, w - 1) : 0;
    for (const std::int32_t k : only_own_) units_[static_cast<std::size_t>(k)] += gain;
    for (const std::int32_t k : only_other_) units_[static_cast<std::size_t>(k)] -= loss;
    if (!pairs_) return;
    const auto add = [&](std::int64_t i, std::int64_t j, double amount) {
        units_[static_cast<std::size_t>(n + pair_of(std::min(i, j), std::max(i, j), n))] += amount;
    };
    const double own_pair = u > 1 ? 0.5 * share * weight_of(u - 2, w) : 0,
                 other_pair = w > 1 ? 0.5 * share * weight_of(u, w - 2) : 0,
                 mixed = u > 0 && w > 0 ? -0.5 * share * weight_of(u - 1, w - 1) : 0;
    for (std::size_t i = 0; i < only_own_.size(); ++i) {
        for (std::size_t j = i + 1; j < only_own_.size(); ++j)
            add(only_own_[i], only_own_[j], own_pair);
        for (const std::int32_t j : only_other_) add(only_own_[i], j, mixed);
    }
    for (std::size_t i = 0; i < only_other_.size(); ++i)
        for (std::size_t j = i + 1; j < only_other_.size(); ++j)
            add(only_other_[i], only_other_[j], other_pair);
}

const std::vector<double>& LeafUnits::of_background(int n_players, const std::uint32_t* counts,
                                                    std::int64_t n_rows) {
    const auto n = static_cast<std::size_t>(n_players), n_patterns = std::size_t{1} << n;
    const auto n_units = static_cast<std::size_t>(n_units_of(n_players, pairs_));
    table_.assign(n_units * n_patterns, 0.0);
    const auto all = static_cast<std::uint32_t>(n_patterns - 1);
    std::uint8_t own[kMostConditions], other[kMostConditions];
    for (std::uint32_t pattern = 0; pattern <= all; ++pattern) {
        begin_pairs_of_rows(n_players);
        for (std::size_t k = 0; k < n; ++k) own[k] = pattern >> k & 1;
        const std::uint32_t needed = all & ~pattern;
        // What the other rows meet beyond: every part of the pattern.
        for (std::uint32_t more = pattern;; more = (more - 1) & pattern) {
            const std::uint32_t count = counts[needed | more];
            if (count > 0) {
                for (std::size_t k = 0; k < n; ++k) other[k] = (needed | more) >> k & 1;
                add_pair_of_rows(own, other,
                                 static_cast<double>(count) / static_cast<double>(n_rows));
            }
            if (more == 0) break;
        }
        for (std::size_t u = 0; u < n_units; ++u) table_[u * n_patterns + pattern] = units_[u];
    }
    return table_;
}

} // namespace ceiba
