// The search of a tree whose candidates are ranked by the cosine, or with noise (split/ranking.hpp).

#include "split/exact_walk.hpp"
#include "tree/tree_grower.hpp"

#include <limits>

namespace ceiba {

namespace {

constexpr double kNever = -std::numeric_limits<double>::infinity();

// What ranks the candidates of a column; none where no node is divided.
void rank_candidates(const RankTerms& terms, std::size_t n, bool by_cosine) {
    for (std::size_t b = 0; b < n; ++b) {
        const double merit = by_cosine ? cosine(terms.top[b], terms.below[b]) : terms.top[b];
        terms.top[b] = terms.splits[b] > 0 ? merit : kNever;
    }
}

} // namespace

// The candidate of a column with the largest merit and noise, for all nodes of a level.
Split TreeGrower::best_ranked(std::span<const int> level, int feature) {
    if (plan_.is_category(feature)) return best_ranked_set(level, feature);
    const auto n = static_cast<std::size_t>(mapper().n_value_bins(feature));
    std::vector<double> sums(6 * n, 0.0);
    const RankTerms right{sums.data(), sums.data() + n, sums.data() + 2 * n},
        left{sums.data() + 3 * n, sums.data() + 4 * n, sums.data() + 5 * n};
    bool some_missing = false;
    for (const int number : level) {
        const Node& node = node_at(number);
        if (node.n_rows == 0) continue;
        const ColumnScan scan = scan_of(node, feature);
        some_missing = some_missing || missing_sums(scan).count > 0;
        if (enough_rows(node)) {
            split_kernels().add_terms(scan, right, left);
        } else if (rule_.cosine) {
            const CosineTerms terms = terms_of_node(scan);
            for (const RankTerms& side : {right, left})
                for (std::size_t b = 0; b < n; ++b) {
                    side.top[b] += terms.top;
                    side.below[b] += terms.below;
                }
        }
    }
    rank_candidates(right, n, rule_.cosine);
    if (some_missing) rank_candidates(left, n, rule_.cosine);
    // Where no row is missing there is one way, and the first number of a threshold.
    const std::uint64_t key = noise_.of(level.front(), feature);
    std::vector<double> noisy_right(right.top, right.top + n), noisy_left;
    if (noise_.sigma > 0)
        split_kernels().add_noise(key, some_missing ? 1 : 0, 2, noise_.sigma, n,
                                  noisy_right.data());
    if (some_missing) {
        noisy_left.assign(left.top, left.top + n);
        if (noise_.sigma > 0)
            split_kernels().add_noise(key, 0, 2, noise_.sigma, n, noisy_left.data());
    }
    double largest = kNever;
    std::size_t bin = 0;
    bool missing_left = true;
    for (std::size_t b = 0; b < n; ++b) {
        if (some_missing && noisy_left[b] > largest) {
            largest = noisy_left[b];
            bin = b;
            missing_left = true;
        }
        if (noisy_right[b] > largest) {
            largest = noisy_right[b];
            bin = b;
            missing_left = !some_missing;
        }
    }
    Split best;
    if (!(largest > kNever)) return best;
    best.gain = missing_left && some_missing ? left.top[bin] : right.top[bin];
    best.decision = {feature, static_cast<Code>(bin), missing_left, nullptr};
    if (level.size() == 1)
        best.left = left_sums(scan_of(node_at(level[0]), feature), best.decision);
    if (noise_.sigma > 0) best.gain += noise_.sigma * normal_number(hash64(key), 0);
    return best;
}

Split TreeGrower::best_ranked_set(std::span<const int> level, int feature) {
    std::vector<ColumnScan> nodes;
    CosineTerms rest;
    for (const int number : level) {
        const Node& node = node_at(number);
        if (node.n_rows == 0) continue;
        if (enough_rows(node)) {
            nodes.push_back(scan_of(node, feature));
            continue;
        }
        const CosineTerms terms = terms_of_node(scan_of(node, feature));
        rest.top += terms.top;
        rest.below += terms.below;
    }
    if (!rule_.cosine) rest = {};
    Split best;
    scan_category(nodes, plan_.kind(feature), plan_.category,
                  plan_.grow_policy == GrowPolicy::symmetric, best, &rest);
    if (best.found() && noise_.sigma > 0)
        best.gain += noise_.sigma * normal_number(hash64(noise_.of(level.front(), feature)), 0);
    return best;
}

// What a node gains by a decision that divides it.
double TreeGrower::gain_of_decision(const Node& node, const Decision& decision) {
    ColumnScan scan = scan_of(node, decision.feature);
    if (decision.set)
        return gain_of_set({&scan, 1}, plan_.kind(decision.feature), plan_.category, decision);
    scan.direction = 0;
    Decision values = decision;
    values.missing_left = false;
    return gain_of(scan, left_sums(scan, values),
                   decision.missing_left ? missing_sums(scan) : Sums{}, 0.0);
}

// Whether a level is split as it was settled. The cosine asks only that there is something to learn.
bool TreeGrower::is_worth(std::span<const int> level, double level_score) const {
    double gain = 0;
    for (const int number : level) gain += node_at(number).split.gain;
    if (!rule_.cosine) return is_gain(gain, level_score, gain_to_grow_);
    return gain + level_score > 0 && (gain_to_grow_ <= 0 || gain >= gain_to_grow_);
}

} // namespace ceiba
