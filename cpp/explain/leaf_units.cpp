#include "explain/leaf_units.hpp"

#include "explain/quadrature.hpp"
#include "explain/share_kernels.hpp"

#include <algorithm>
#include <bit>

namespace ceiba {

namespace {

double make_weight(std::int64_t a, std::int64_t b) {
    double weight = 1.0 / static_cast<double>(a + b + 1);
    const std::int64_t few = std::min(a, b), many = std::max(a, b);
    for (std::int64_t k = 1; k <= few; ++k)
        weight *= static_cast<double>(k) / static_cast<double>(many + k);
    return weight;
}

} // namespace

double shapley_weight(std::int64_t a, std::int64_t b) {
    constexpr std::int64_t kUsual = 16;
    static const std::vector<double> usual = [] {
        std::vector<double> made;
        for (std::int64_t i = 0; i < kUsual * kUsual; ++i)
            made.push_back(make_weight(i / kUsual, i % kUsual));
        return made;
    }();
    const bool is_usual = a < kUsual && b < kUsual;
    return is_usual ? usual[static_cast<std::size_t>(a * kUsual + b)] : make_weight(a, b);
}

LeafTerms LeafUnits::terms_of(std::span<const PathPlayer> players, const std::uint8_t* holds) {
    shares_.resize(players.size());
    for (std::size_t k = 0; k < players.size(); ++k) shares_[k] = players[k].share;
    const Quadrature& quadrature = quadrature_for(static_cast<std::int64_t>(players.size()));
    return {static_cast<int>(players.size()),
            shares_.data(),
            holds,
            quadrature.points.data(),
            quadrature.rests.data(),
            quadrature.weights.data(),
            quadrature.n_groups(),
            scratch_.data()};
}

const double* LeafUnits::of_row(std::span<const PathPlayer> players, const std::uint8_t* holds) {
    const std::size_t n = players.size();
    scratch_.resize(std::max(scratch_.size(), 3 * kPointsAtOnce * n));
    units_.resize(static_cast<std::size_t>(n_units_of(static_cast<std::int64_t>(n), pairs_)));
    const LeafTerms terms = terms_of(players, holds);
    share_kernels().shares(terms, units_.data());
    if (pairs_) share_kernels().pairs(terms, units_.data() + n);
    return units_.data();
}

const std::vector<double>& LeafUnits::of_patterns(std::span<const PathPlayer> players) {
    const std::size_t n = players.size(), n_patterns = std::size_t{1} << n;
    const auto n_units = static_cast<std::size_t>(n_units_of(static_cast<std::int64_t>(n), pairs_));
    table_.resize(std::max(table_.size(), n_units * n_patterns));
    scratch_.resize(std::max(scratch_.size(), 4 * kPointsAtOnce * n_patterns));
    if (n == 0) return table_;
    const LeafTerms terms = terms_of(players, nullptr);
    share_kernels().tabulate(terms, table_.data());
    if (pairs_) share_kernels().tabulate_pairs(terms, table_.data() + n * n_patterns);
    return table_;
}

void LeafUnits::begin(std::int64_t n_players) {
    n_players_ = n_players;
    units_.assign(static_cast<std::size_t>(n_units_of(n_players, pairs_)), 0.0);
}

// A coalition reaches the leaf if it contains every player whose condition only the row meets, and
// none whose condition only the others meet.
void LeafUnits::share_out(double share) {
    const auto u = std::ssize(only_own_), w = std::ssize(only_other_);
    const double gain = u > 0 ? share * shapley_weight(u - 1, w) : 0,
                 loss = w > 0 ? share * shapley_weight(u, w - 1) : 0;
    for (const std::int32_t k : only_own_) units_[static_cast<std::size_t>(k)] += gain;
    for (const std::int32_t k : only_other_) units_[static_cast<std::size_t>(k)] -= loss;
    if (!pairs_) return;
    const std::int64_t n = n_players_;
    const auto add = [&](std::int64_t i, std::int64_t j, double amount) {
        units_[static_cast<std::size_t>(n + pair_of(std::min(i, j), std::max(i, j), n))] += amount;
    };
    const double own_pair = u > 1 ? 0.5 * share * shapley_weight(u - 2, w) : 0,
                 other_pair = w > 1 ? 0.5 * share * shapley_weight(u, w - 2) : 0,
                 mixed = u > 0 && w > 0 ? -0.5 * share * shapley_weight(u - 1, w - 1) : 0;
    for (std::size_t i = 0; i < only_own_.size(); ++i) {
        for (std::size_t j = i + 1; j < only_own_.size(); ++j)
            add(only_own_[i], only_own_[j], own_pair);
        for (const std::int32_t j : only_other_) add(only_own_[i], j, mixed);
    }
    for (std::size_t i = 0; i < only_other_.size(); ++i)
        for (std::size_t j = i + 1; j < only_other_.size(); ++j)
            add(only_other_[i], only_other_[j], other_pair);
}

void LeafUnits::meet(const std::uint8_t* own, const std::uint8_t* others, double share) {
    only_own_.clear();
    only_other_.clear();
    for (std::int32_t k = 0; k < n_players_; ++k) {
        if (own[k] == 0 && others[k] == 0)
            return; // nobody meets the condition: nothing to distribute
        if (others[k] == 0) only_own_.push_back(k);
        if (own[k] == 0) only_other_.push_back(k);
    }
    share_out(share);
}

const double* LeafUnits::of_row(int n_players, std::uint32_t pattern, const std::uint32_t* counts,
                                std::int64_t n_rows) {
    begin(n_players);
    const std::uint32_t needed = ((std::uint32_t{1} << n_players) - 1) & ~pattern;
    only_other_.clear();
    for (std::uint32_t rest = needed; rest != 0; rest &= rest - 1)
        only_other_.push_back(std::countr_zero(rest));
    // Others must meet what the row does not, and may meet any subset of what it does.
    for (std::uint32_t more = pattern;; more = (more - 1) & pattern) {
        if (const std::uint32_t count = counts[needed | more]; count > 0) {
            only_own_.clear();
            for (std::uint32_t rest = pattern & ~more; rest != 0; rest &= rest - 1)
                only_own_.push_back(std::countr_zero(rest));
            share_out(static_cast<double>(count) / static_cast<double>(n_rows));
        }
        if (more == 0) break;
    }
    return units_.data();
}

const std::vector<double>& LeafUnits::of_patterns(int n_players, const std::uint32_t* counts,
                                                  std::int64_t n_rows) {
    const std::uint32_t n_patterns = std::uint32_t{1} << n_players;
    const auto n_units = static_cast<std::size_t>(n_units_of(n_players, pairs_));
    table_.resize(std::max(table_.size(), n_units * n_patterns));
    for (std::uint32_t pattern = 0; pattern < n_patterns; ++pattern) {
        const double* units = of_row(n_players, pattern, counts, n_rows);
        for (std::size_t u = 0; u < n_units; ++u) table_[u * n_patterns + pattern] = units[u];
    }
    return table_;
}

} // namespace ceiba
