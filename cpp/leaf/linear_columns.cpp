#include "leaf/linear_columns.hpp"

#include <algorithm>
#include <iterator>

namespace ceiba {

namespace {

using Columns = std::vector<std::int32_t>;

Columns first_ascending(Columns columns, int most) {
    if (std::ssize(columns) > most) columns.resize(static_cast<std::size_t>(most));
    std::sort(columns.begin(), columns.end());
    return columns;
}

Columns columns_of_path(const GrownTree& tree, const Regressors& regressors, int leaf) {
    Columns columns;
    for (int node = tree.nodes[static_cast<std::size_t>(leaf)].parent; node >= 0;
         node = tree.nodes[static_cast<std::size_t>(node)].parent) {
        const std::int32_t feature =
            tree.nodes[static_cast<std::size_t>(node)].split.decision.feature;
        if (regressors.has(feature)) columns.push_back(feature);
    }
    std::reverse(columns.begin(), columns.end());
    Columns once;
    for (const std::int32_t feature : columns)
        if (std::find(once.begin(), once.end(), feature) == once.end()) once.push_back(feature);
    return once;
}

Columns columns_of_tree(const GrownTree& tree, const Regressors& regressors) {
    std::vector<double> gains(static_cast<std::size_t>(regressors.n_features()), 0.0);
    Columns columns;
    for (const Node& node : tree.nodes) {
        const std::int32_t feature = node.split.decision.feature;
        if (node.is_leaf() || !regressors.has(feature)) continue;
        if (std::find(columns.begin(), columns.end(), feature) == columns.end())
            columns.push_back(feature);
        gains[static_cast<std::size_t>(feature)] += node.split.gain;
    }
    std::sort(columns.begin(), columns.end(), [&](std::int32_t a, std::int32_t b) {
        const double first = gains[static_cast<std::size_t>(a)],
                     second = gains[static_cast<std::size_t>(b)];
        return first != second ? first > second : a < b;
    });
    return columns;
}

} // namespace

std::vector<Columns> linear_columns(const GrownTree& tree, const Regressors& regressors,
                                    const GrowPlan& plan) {
    std::vector<Columns> found(tree.nodes.size());
    Columns of_tree;
    if (plan.linear_columns == LinearColumns::given)
        of_tree.assign(regressors.features().begin(), regressors.features().end());
    else if (plan.linear_columns == LinearColumns::tree)
        of_tree = first_ascending(columns_of_tree(tree, regressors), plan.max_linear_features);
    for (std::size_t i = 0; i < found.size(); ++i) {
        if (!tree.nodes[i].is_leaf()) continue;
        found[i] = plan.linear_columns == LinearColumns::path
                       ? first_ascending(columns_of_path(tree, regressors, static_cast<int>(i)),
                                         plan.max_linear_features)
                       : of_tree;
    }
    return found;
}

} // namespace ceiba
