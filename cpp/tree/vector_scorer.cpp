#include "tree/vector_scorer.hpp"

#include "split/category.hpp"
#include "split/drawn.hpp"

#include <limits>

namespace ceiba {

namespace {

constexpr double kNever = -std::numeric_limits<double>::infinity();

} // namespace

void VectorScorer::add_gains(const Node& node, int feature, double* right, double* left,
                             double invalid) const {
    const std::size_t n_values = scans_.n_values(feature);
    std::vector<double> gains(2 * n_values, 0.0);
    for (int output = 0; output < tree_.n_outputs(); ++output) {
        ColumnScan scan = scans_.of(node, feature, output);
        scan.invalid = kNever;
        split_kernels().add_gains(scan, gains.data(), gains.data() + n_values);
    }
    for (std::size_t b = 0; b < n_values; ++b) {
        right[b] += gains[b] == kNever ? invalid : gains[b];
        left[b] += gains[n_values + b] == kNever ? invalid : gains[n_values + b];
    }
}

void VectorScorer::scan(const Node& node, int feature, Split& best) const {
    if (tree_.plan.is_category(feature)) {
        const std::vector<ColumnScan> scans = scans_.of_outputs(node, feature);
        scan_category(scans, tree_.plan.kind(feature), tree_.plan.category, false, best, nullptr,
                      scans.size());
        return;
    }
    const std::size_t n_values = scans_.n_values(feature);
    const bool has_missing = scans_.mapper().has_missing(feature),
               extra_trees = tree_.plan.extra_trees;
    std::vector<double> gains(2 * n_values, 0.0);
    double *right = gains.data(), *left = gains.data() + n_values;
    add_gains(node, feature, right, left, kNever);
    int found = -1;
    bool found_left = false;
    const ColumnScan scan = scans_.of(node, feature);
    // The exact search does not try "only missing values on the left".
    const std::size_t first_value = scan.needs_value ? first_filled(scan) : 0;
    const int drawn = extra_trees ? drawn_bin(scan) : -1;
    for (std::size_t b = 0; b < n_values; ++b) {
        if (extra_trees && static_cast<int>(b) != drawn) continue;
        for (const bool missing_left : {true, false}) {
            const double gain = missing_left ? left[b] : right[b];
            if (missing_left && (!has_missing || b < first_value)) continue;
            if (!(gain > best.gain)) continue;
            best.gain = gain;
            found = static_cast<int>(b);
            found_left = missing_left;
        }
    }
    if (found >= 0) take_threshold(scan, found, found_left || !has_missing, best);
}

void VectorScorer::add_left_sums(const Node& node, Split& split) const {
    split.more_left.clear();
    for (int output = 1; output < tree_.n_outputs(); ++output)
        split.more_left.push_back(
            left_sums(scans_.of(node, split.decision.feature, output), split.decision));
}

} // namespace ceiba
