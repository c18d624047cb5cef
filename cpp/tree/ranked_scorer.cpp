#include "tree/ranked_scorer.hpp"

#include "split/category.hpp"
#include "split/exact_walk.hpp"

#include <limits>

namespace ceiba {

namespace {

constexpr double kNever = -std::numeric_limits<double>::infinity();

// Replaces terms.top by the rank of each candidate. Candidates that divide no node have no rank.
void rank_candidates(const RankTerms& terms, std::size_t n, bool by_cosine) {
    for (std::size_t b = 0; b < n; ++b) {
        const double merit = by_cosine ? cosine(terms.top[b], terms.below[b]) : terms.top[b];
        terms.top[b] = terms.splits[b] > 0 ? merit : kNever;
    }
}

} // namespace

void RankedScorer::scan(const Node& node, int feature, Split& best) const {
    const int number = tree_.number_of(node);
    take_better(best_of_level({&number, 1}, feature), best);
}

// The candidate of a column with the largest merit plus noise, for all nodes of a level.
Split RankedScorer::best_of_level(std::span<const int> level, int feature) const {
    if (tree_.plan.is_category(feature)) return best_set_of_level(level, feature);
    const auto n = scans_.n_values(feature);
    std::vector<double> sums(6 * n, 0.0);
    const RankTerms right{sums.data(), sums.data() + n, sums.data() + 2 * n},
        left{sums.data() + 3 * n, sums.data() + 4 * n, sums.data() + 5 * n};
    bool some_missing = false;
    for (const int number : level) {
        const Node& node = tree_.at(number);
        if (node.n_rows == 0) continue;
        const ColumnScan scan = scans_.of(node, feature);
        some_missing = some_missing || missing_sums(scan).count > 0;
        if (tree_.enough_rows(node)) {
            split_kernels().add_terms(scan, right, left);
        } else if (tree_.rule.cosine) {
            const CosineTerms terms = terms_of_node(scan);
            for (const RankTerms& side : {right, left})
                for (std::size_t b = 0; b < n; ++b) {
                    side.top[b] += terms.top;
                    side.below[b] += terms.below;
                }
        }
    }
    rank_candidates(right, n, tree_.rule.cosine);
    if (some_missing) rank_candidates(left, n, tree_.rule.cosine);
    // Without missing rows there is one direction: use the first random number of a threshold.
    const std::uint64_t key = tree_.noise.of(level.front(), feature);
    std::vector<double> noisy_right(right.top, right.top + n), noisy_left;
    if (tree_.noise.sigma > 0)
        split_kernels().add_noise(key, some_missing ? 1 : 0, 2, tree_.noise.sigma, n,
                                  noisy_right.data());
    if (some_missing) {
        noisy_left.assign(left.top, left.top + n);
        if (tree_.noise.sigma > 0)
            split_kernels().add_noise(key, 0, 2, tree_.noise.sigma, n, noisy_left.data());
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
        best.left = left_sums(scans_.of(tree_.at(level[0]), feature), best.decision);
    if (tree_.noise.sigma > 0) best.gain += tree_.noise.sigma * normal_number(hash64(key), 0);
    return best;
}

Split RankedScorer::best_set_of_level(std::span<const int> level, int feature) const {
    std::vector<ColumnScan> nodes;
    CosineTerms rest;
    for (const int number : level) {
        const Node& node = tree_.at(number);
        if (node.n_rows == 0) continue;
        if (tree_.enough_rows(node)) {
            nodes.push_back(scans_.of(node, feature));
            continue;
        }
        const CosineTerms terms = terms_of_node(scans_.of(node, feature));
        rest.top += terms.top;
        rest.below += terms.below;
    }
    if (!tree_.rule.cosine) rest = {};
    Split best;
    scan_category(nodes, tree_.plan.kind(feature), tree_.plan.category, tree_.is_symmetric(), best,
                  &rest);
    if (best.found() && tree_.noise.sigma > 0)
        best.gain +=
            tree_.noise.sigma * normal_number(hash64(tree_.noise.of(level.front(), feature)), 0);
    return best;
}

void RankedScorer::judge(const Node& node, Split& split) const {
    if (!split.found()) return;
    const Decision& decision = split.decision;
    ColumnScan scan = scans_.of(node, decision.feature);
    if (decision.set) {
        split.gain = gain_of_set({&scan, 1}, tree_.plan.kind(decision.feature), tree_.plan.category,
                                 decision);
        return;
    }
    scan.direction = 0;
    Decision values = decision;
    values.missing_left = false;
    split.gain = ceiba::gain_of(scan, left_sums(scan, values),
                                decision.missing_left ? missing_sums(scan) : Sums{}, 0.0);
}

// The cosine only needs a nonzero gradient.
bool RankedScorer::accepts(double gain, double level_score) const {
    if (!tree_.rule.cosine) return ColumnScorer::accepts(gain, level_score);
    const double least = tree_.gain_to_grow;
    return gain + level_score > 0 && (least <= 0 || gain >= least);
}

} // namespace ceiba
