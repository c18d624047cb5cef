#include "tree/node_columns.hpp"

namespace ceiba {

ColumnScan NodeColumns::of(const Node& node, int feature, int output) const {
    const Planes bins = planes(node, feature);
    // Moments of linear models follow the two planes of gradients and hessians.
    PlanesOf<const std::uint64_t> own{bins.words, bins.stride, tree_.packing().n_planes(), bins.n};
    if (tree_.n_outputs() > 1) { // the two planes of the output
        const Outputs& outputs = tree_.packing().outputs;
        const int gradients = outputs.gradient_plane(output);
        own = {bins.plane(gradients), bins.stride * (outputs.rest_plane(output) - gradients), 2,
               bins.n};
    }
    return with_bins(node, feature, own, output);
}

ColumnScan NodeColumns::any(const Node& node, int feature, ListBins& bins) const {
    if (store_.has(feature)) return of(node, feature);
    store_.lists()->sum_feature(tree_.number_of(node), feature, bins);
    return with_bins(node, feature, bins.planes());
}

ColumnScan NodeColumns::with_bins(const Node& node, int feature, PlanesOf<const std::uint64_t> bins,
                                  int output) const {
    const bool drawn = tree_.plan.extra_trees;
    ColumnScan scan{bins,
                    feature,
                    mapper_->n_value_bins(feature),
                    mapper_->has_missing(feature),
                    &tree_.packing(output),
                    &tree_.rule,
                    tree_.sums_of(node, output),
                    tree_.n_outputs() == 1 ? node.score : tree_.score_of(node, output),
                    node.bounds,
                    tree_.plan.direction(feature),
                    needs_value_,
                    {},
                    drawn,
                    drawn ? columns_.lot(node, feature) : 0,
                    0.0,
                    false};
    if (tree_.rule.estimate_rows) {
        const auto edges = mapper_->edges(feature);
        scan.zero_first = edges.empty() || edges.front() >= 0;
    }
    return scan;
}

std::vector<ColumnScan> NodeColumns::of_outputs(const Node& node, int feature) const {
    std::vector<ColumnScan> scans;
    for (int output = 0; output < tree_.n_outputs(); ++output)
        scans.push_back(of(node, feature, output));
    return scans;
}

} // namespace ceiba
