#include "tree/linear_scorer.hpp"

#include "split/category.hpp"

#include <cmath>

namespace ceiba {

// Whether the children of a split get a slope in the split column.
bool LinearScorer::adds_regressor(const LinearModel& model, int feature) const {
    const LinearRule& rule = tree_.plan.linear_gain;
    if (!rule.may_regress(feature)) return false;
    if (model.place_of(feature) >= 0) return true;
    return !rule.given && std::ssize(model.terms) < rule.max_features;
}

LinearScan LinearScorer::scan_of(const Node& node, int feature) const {
    const LinearRule& rule = tree_.plan.linear_gain;
    const LinearNode& own = nodes[static_cast<std::size_t>(tree_.number_of(node))];
    const LinearModel& model = own.model;
    const Planes bins = scans_.planes(node, feature);
    LinearScan scan;
    scan.column = scans_.of(node, feature);
    scan.all = {bins.words, bins.stride, bins.n_planes, bins.n};
    scan.n_basis = own.basis.n();
    scan.units = units;
    scan.node_penalty = model.penalty(tree_.rule.lambda, rule.lambda);
    const int n = scan.n_basis, last = n + 1, place = model.place_of(feature);
    const bool slope = !tree_.plan.is_category(feature) && adds_regressor(model, feature) &&
                       !(rule.fit == LinearFit::full && place >= 0);
    Penalties& penalties = scan.penalties;
    penalties.of[0] = tree_.rule.lambda;
    penalties.pull[0] = tree_.rule.lambda * model.intercept;
    if (slope) {
        scan.values = rule.values[static_cast<std::size_t>(feature)].data();
        penalties.of[Penalties::at(last, last)] = rule.lambda;
        if (place >= 0)
            penalties.pull[last] = rule.lambda * model.terms[static_cast<std::size_t>(place)].slope;
    }
    for (int a = 0; a < n; ++a) {
        const double scale = own.basis.scales[static_cast<std::size_t>(a)];
        double square = 1, pull = 0;
        if (rule.fit == LinearFit::half_additive) {
            square = 0;
            for (const LinearTerm& term : model.terms) square += term.slope * term.slope;
            pull = square;
            if (slope && place >= 0)
                penalties.of[Penalties::at(last, a + 1)] =
                    rule.lambda * model.terms[static_cast<std::size_t>(place)].slope / scale;
        } else {
            pull = model.terms[static_cast<std::size_t>(a)].slope;
        }
        // The basis function is the parent's function divided by its scale.
        penalties.of[Penalties::at(a + 1, a + 1)] = rule.lambda * square / (scale * scale);
        penalties.pull[a + 1] = rule.lambda * pull / scale;
    }
    return scan;
}

void LinearScorer::scan(const Node& node, int feature, Split& best) const {
    const LinearScan scan = scan_of(node, feature);
    if (!tree_.plan.is_category(feature)) return scan_linear(scan, best);
    // The best set for constant leaves, with its gain for linear models.
    Split own;
    scan_category({&scan.column, 1}, tree_.plan.kind(feature), tree_.plan.category, false, own);
    if (!own.found()) return;
    own.gain = linear_gain_of(scan, own.decision);
    if (own.gain > best.gain) best = own;
}

void LinearScorer::add_gains(const Node& node, int feature, double* right, double* left) const {
    const LinearScan scan = scan_of(node, feature);
    const auto n = static_cast<std::size_t>(scan.column.n_values);
    std::vector<double> gains(2 * n);
    linear_gains(scan, gains.data(), gains.data() + n);
    const bool none_missing = missing_sums(scan.column).count == 0;
    for (std::size_t b = 0; b < n; ++b) {
        right[b] += std::max(0.0, gains[b]);
        // Without missing values both directions are the same.
        if (scan.column.has_missing) left[b] += std::max(0.0, gains[none_missing ? b : n + b]);
    }
}

Split LinearScorer::best_set_of_level(std::span<const int> level, int feature) const {
    Split best = ColumnScorer::best_set_of_level(level, feature);
    if (!best.found()) return best;
    best.gain = 0;
    for (const int number : level)
        if (tree_.enough_rows(tree_.at(number)))
            best.gain += gain_of(tree_.at(number), best.decision);
    return best;
}

LinearModel LinearScorer::changed(const LinearNode& node, int feature, const Change& change) const {
    LinearModel model = node.model;
    model.intercept += change.of[0];
    const int n = node.basis.n();
    for (int a = 0; a < n; ++a) {
        const double by = change.of[static_cast<std::size_t>(a) + 1] /
                          node.basis.scales[static_cast<std::size_t>(a)];
        if (node.basis.fit == LinearFit::half_additive)
            for (LinearTerm& term : model.terms) term.slope *= 1 + by;
        else
            model.terms[static_cast<std::size_t>(a)].slope += by;
    }
    if (std::ssize(change.of) <= n + 1) return model;
    const double slope = change.of.back();
    const int place = model.place_of(feature);
    if (place >= 0)
        model.terms[static_cast<std::size_t>(place)].slope += slope;
    else
        model.terms.push_back({feature, slope});
    return model;
}

void LinearScorer::fit_children(int number) {
    const Node& node = tree_.at(number);
    LinearNode& own = at(number);
    own.left = own.right = own.model;
    if (!node.split.found() || node.n_rows == 0) return;
    const int feature = node.split.decision.feature;
    const Changes changes = ceiba::fit_children(scan_of(node, feature), node.split.decision);
    own.left = changed(own, feature, changes.left);
    own.right = changed(own, feature, changes.right);
}

void LinearScorer::hand_down(int number) {
    nodes.resize(tree_.nodes->size());
    const Node& node = tree_.at(number);
    const LinearNode& own = at(number);
    at(node.left).model = own.left;
    at(node.right).model = own.right;
}

} // namespace ceiba
