// The search of a tree whose leaves have several outputs: what a split gains is the sum of what it
// gains for each of them. tree_search.cpp asks for it.

#include "split/drawn.hpp"
#include "tree/tree_grower.hpp"

#include <limits>

namespace ceiba {

namespace {

constexpr double kNever = -std::numeric_limits<double>::infinity();

} // namespace

// Adds the gains of all outputs; `invalid` where a child breaks a minimum for one of them.
void TreeGrower::add_vector_gains(const Node& node, int feature, double* right, double* left,
                                  double invalid) {
    const auto n_values = static_cast<std::size_t>(mapper().n_value_bins(feature));
    std::vector<double> gains(2 * n_values, 0.0);
    for (int output = 0; output < n_outputs(); ++output) {
        ColumnScan scan = scan_of(node, feature, output);
        scan.invalid = kNever;
        split_kernels().add_gains(scan, gains.data(), gains.data() + n_values);
    }
    for (std::size_t b = 0; b < n_values; ++b) {
        right[b] += gains[b] == kNever ? invalid : gains[b];
        left[b] += gains[n_values + b] == kNever ? invalid : gains[n_values + b];
    }
}

// Replaces `best` where a column has a larger gain.
void TreeGrower::scan_outputs(const Node& node, int feature, Split& best) {
    if (plan_.is_category(feature)) {
        const std::vector<ColumnScan> scans = scans_of(node, feature);
        scan_category(scans, plan_.kind(feature), plan_.category, false, best, nullptr,
                      scans.size());
        return;
    }
    const auto n_values = static_cast<std::size_t>(mapper().n_value_bins(feature));
    const bool has_missing = mapper().has_missing(feature);
    std::vector<double> gains(2 * n_values, 0.0);
    double *right = gains.data(), *left = gains.data() + n_values;
    add_vector_gains(node, feature, right, left, kNever);
    int found = -1;
    bool found_left = false;
    // Exact: missing rows alone on the left are no candidate.
    const std::size_t first_value = exact_ ? first_filled(scan_of(node, feature)) : 0;
    const int drawn = plan_.extra_trees ? drawn_bin(scan_of(node, feature)) : -1;
    for (std::size_t b = 0; b < n_values; ++b) {
        if (plan_.extra_trees && static_cast<int>(b) != drawn) continue;
        for (const bool missing_left : {true, false}) {
            const double gain = missing_left ? left[b] : right[b];
            if (missing_left && (!has_missing || b < first_value)) continue;
            if (!(gain > best.gain)) continue;
            best.gain = gain;
            found = static_cast<int>(b);
            found_left = missing_left;
        }
    }
    if (found >= 0) take_threshold(scan_of(node, feature), found, found_left || !has_missing, best);
}

// A column of a node, for each output.
std::vector<ColumnScan> TreeGrower::scans_of(const Node& node, int feature) {
    std::vector<ColumnScan> scans;
    for (int output = 0; output < n_outputs(); ++output)
        scans.push_back(scan_of(node, feature, output));
    return scans;
}

// The sums that a split sends left, of the second output and those after it.
void TreeGrower::note_left_sums(const Node& node, Split& split) {
    split.more_left.clear();
    for (int output = 1; output < n_outputs(); ++output)
        split.more_left.push_back(
            left_sums(scan_of(node, split.decision.feature, output), split.decision));
}

} // namespace ceiba
