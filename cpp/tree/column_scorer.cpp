#include "tree/column_scorer.hpp"

#include "base/settings.hpp"
#include "split/category.hpp"
#include "split/drawn.hpp"

#include <algorithm>

namespace ceiba {

void ColumnScorer::scan_group(const Node& node, std::span<const int> group,
                              std::span<const int> columns, std::span<std::uint8_t> hopeful,
                              Split& best) const {
    for_each_of(group, columns, [&](int feature, std::size_t place) {
        if (hopeful.empty()) return scan(node, feature, best);
        Split own;
        scan(node, feature, own);
        hopeful[place] = tree_.is_hopeful(node, own.gain);
        take_better(own, best);
    });
}

Split ColumnScorer::best_of_level(std::span<const int> level, int feature) const {
    if (tree_.plan.is_category(feature)) return best_set_of_level(level, feature);
    const bool extra_trees = tree_.plan.extra_trees;
    if (extra_trees && tree_.n_outputs() == 1) return best_drawn_of_level(level, feature);
    const std::size_t n_values = scans_.n_values(feature);
    const bool has_missing = scans_.mapper().has_missing(feature);
    std::vector<double> gains(2 * n_values, 0.0);
    double *right = gains.data(), *left = gains.data() + n_values;
    // The exact search does not try "only missing values on the left".
    std::size_t first_value = scans_.needs_value() ? n_values : 0;
    for (const int number : level) {
        const Node& node = tree_.at(number);
        if (node.n_rows == 0) continue;
        if (tree_.enough_rows(node)) add_gains(node, feature, right, left);
        if (first_value > 0)
            first_value = std::min(first_value, first_filled(scans_.of(node, feature)));
    }
    Split best;
    const int drawn = extra_trees ? drawn_bin(scans_.of(tree_.at(level.front()), feature)) : -1;
    for (std::size_t b = 0; b < n_values; ++b) {
        if (extra_trees && static_cast<int>(b) != drawn) continue;
        for (const bool missing_left : {true, false}) {
            if (missing_left && (!has_missing || b < first_value)) continue;
            const double gain = missing_left ? left[b] : right[b];
            if (!(gain > best.gain)) continue;
            best.gain = gain;
            best.decision = {feature, static_cast<Code>(b), missing_left, nullptr};
        }
    }
    return best;
}

Split ColumnScorer::best_drawn_of_level(std::span<const int> level, int feature) const {
    std::vector<ColumnScan> nodes;
    std::vector<char> enough;
    for (const int number : level) {
        const Node& node = tree_.at(number);
        if (node.n_rows == 0) continue;
        nodes.push_back(scans_.of(node, feature));
        enough.push_back(tree_.enough_rows(node));
    }
    return drawn_of_level(nodes, enough);
}

Split ColumnScorer::best_set_of_level(std::span<const int> level, int feature) const {
    std::vector<ColumnScan> scans;
    for (const int number : level)
        if (tree_.enough_rows(tree_.at(number)))
            for (int output = 0; output < tree_.n_outputs(); ++output)
                scans.push_back(scans_.of(tree_.at(number), feature, output));
    Split best;
    scan_category(scans, tree_.plan.kind(feature), tree_.plan.category, true, best, nullptr,
                  static_cast<std::size_t>(tree_.n_outputs()));
    return best;
}

double ColumnScorer::gain_of(const Node& node, const Decision& decision) const {
    const int feature = decision.feature;
    if (decision.set) {
        ListBins bins;
        return gain_of_set(tree_.n_outputs() > 1 ? scans_.of_outputs(node, feature)
                                                 : std::vector{scans_.any(node, feature, bins)},
                           tree_.plan.kind(feature), tree_.plan.category, decision);
    }
    const std::size_t n_values = scans_.n_values(feature);
    std::vector<double> gains(2 * n_values, 0.0);
    add_gains(node, feature, gains.data(), gains.data() + n_values);
    const bool left = decision.missing_left && scans_.mapper().has_missing(feature);
    return gains[(left ? n_values : 0) + decision.last];
}

// Columns with two value bins and no other bins are scanned in batches.
void ConstantScorer::start(bool scans_pairs) {
    const BinMapper& mapper = scans_.mapper();
    is_pair_.assign(static_cast<std::size_t>(mapper.n_features()), 0);
    for (int f = 0; scans_pairs && f < mapper.n_features(); ++f)
        is_pair_[static_cast<std::size_t>(f)] =
            mapper.n_value_bins(f) == 2 && !mapper.has_missing(f) && !tree_.plan.is_category(f) &&
            tree_.plan.direction(f) == 0;
}

void ConstantScorer::scan(const ColumnScan& scan, Split& best) const {
    if (tree_.plan.is_category(scan.feature))
        scan_category({&scan, 1}, tree_.plan.kind(scan.feature), tree_.plan.category, false, best);
    else if (scan.drawn)
        scan_drawn(scan, best);
    else
        split_kernels().scan_column(scan, best);
}

bool ConstantScorer::scan_hopeful(const Node& node, const ColumnScan& scan, Split& best) const {
    if (!tree_.plan.is_category(scan.feature) && !scan.drawn)
        return tree_.is_hopeful(node, split_kernels().scan_column(scan, best));
    Split own;
    this->scan(scan, own);
    take_better(own, best);
    return tree_.is_hopeful(node, own.gain);
}

void ConstantScorer::scan_group(const Node& node, std::span<const int> group,
                                std::span<const int> columns, std::span<std::uint8_t> hopeful,
                                Split& best) const {
    PairColumns pairs;
    std::size_t places[PairColumns::kMost];
    for_each_of(group, columns, [&](int feature, std::size_t place) {
        if (is_pair_[static_cast<std::size_t>(feature)] != 0) {
            places[pairs.n] = place;
            pairs.features[pairs.n] = feature;
            pairs.places[pairs.n++] =
                static_cast<int>(scans_.first_bin(feature) - scans_.first_bin(pairs.features[0]));
            if (pairs.n == PairColumns::kMost) scan_pairs(node, pairs, places, hopeful, best);
        } else if (hopeful.empty()) {
            scan(scans_.of(node, feature), best);
        } else {
            hopeful[place] = scan_hopeful(node, scans_.of(node, feature), best);
        }
    });
    if (pairs.n > 0) scan_pairs(node, pairs, places, hopeful, best);
}

// Scans the collected columns and clears the collection.
void ConstantScorer::scan_pairs(const Node& node, PairColumns& pairs, const std::size_t* places,
                                std::span<std::uint8_t> hopeful, Split& best) const {
    double gains[PairColumns::kMost];
    Split own;
    split_kernels().scan_pairs(scans_.of(node, pairs.features[0]), pairs, gains, own);
    take_better(own, best);
    const double hopeless = hopeless_gain(node.score, tree_.gain_to_grow);
    if (!hopeful.empty()) {
        // Usually all of them are hopeful and next to each other.
        bool all = true;
        for (int i = 0; i < pairs.n; ++i) all &= gains[i] > hopeless;
        const auto n = static_cast<std::size_t>(pairs.n);
        if (all && places[n - 1] - places[0] + 1 == n)
            std::fill_n(hopeful.begin() + static_cast<std::ptrdiff_t>(places[0]), n, 1);
        else
            for (std::size_t i = 0; i < n; ++i) hopeful[places[i]] = gains[i] > hopeless;
    }
    count(counters().paired_columns, pairs.n);
    pairs.n = 0;
}

void ConstantScorer::add_gains(const Node& node, int feature, double* right, double* left) const {
    ListBins bins;
    split_kernels().add_gains(scans_.any(node, feature, bins), right, left);
}

} // namespace ceiba
