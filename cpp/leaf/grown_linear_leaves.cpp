// The members of GrownTrees for linear leaves.
#include "base/errors.hpp"
#include "leaf/class_link.hpp"
#include "leaf/grown_trees.hpp"
#include "leaf/inner_values.hpp"
#include "leaf/linear_leaves.hpp"
#include "leaf/log_link.hpp"
#include "tree/linear_part.hpp"
#include "tree/node_sums.hpp"

#include <memory>

namespace ceiba {

namespace {

// values that a round keeps for linear leaves
constexpr std::int64_t kMostKept = std::int64_t{1} << 25;

} // namespace

void GrownTrees::fit_linear_leaves(std::span<const GradientView> views, double learning_rate,
                                   bool others) {
    const GrowPlan& plan = grower_->plan();
    if (!plan.linear_leaves) return;
    check_current();
    // Outputs that share their gradients, such as several quantiles, share a view.
    if (views.size() != 1) check_views(views);
    for_each_array([&](const auto& array) {
        if (array.part == Part::linear_leaves) (arrays_.*array.member).clear();
    });
    const std::int64_t width = arrays_.leaf_width;
    std::vector<double> values;
    for (std::int64_t t = 0; t < n_trees(); ++t) {
        const auto at = first_tree_ + static_cast<std::size_t>(t);
        GrownTree& tree = grower_->trees()[at];
        const WeightFacts& weights = grower_->weights(at);
        LinearScratch room; // reused, because fresh memory costs more than its use
        if (tree.linear_leaves) room = tree.linear_leaves->take_room();
        tree.linear_leaves.reset();
        tree.has_current_linear_leaves = false;
        const auto made =
            std::make_shared<TreeLinearLeaves>(tree, *grower_->regressors(), weights, plan, width,
                                               grower_->n_threads(), std::move(room));
        TreeLinearLeaves& linear_leaves = *made;
        const std::int64_t first = arrays_.tree_offsets[static_cast<std::size_t>(t)];
        const double smallest =
            smallest_cover(plan, arrays_.cover[static_cast<std::size_t>(first)]);
        values.resize(tree.nodes.size());
        for (std::int64_t output = 0; output < width; ++output) {
            const GradientView& view =
                views[views.size() == 1 ? 0 : static_cast<std::size_t>(t * width + output)];
            const bool known = width == 1 && tree.knows_extent && !others && !plan.unit_hessians;
            const Extent extent =
                known ? tree.extent : extent_of_rows(tree, view, weights, grower_->n_threads());
            double* own = arrays_.value.data() + first * width + output;
            for (std::size_t i = 0; i < values.size(); ++i)
                values[i] = own[static_cast<std::int64_t>(i) * width];
            linear_leaves.fit(view, extent, output, learning_rate, smallest, values);
            for (std::size_t i = 0; i < values.size(); ++i)
                own[static_cast<std::int64_t>(i) * width] = values[i];
        }
        linear_leaves.append(arrays_);
        // If a tree has all rows, scores can be updated without routing rows.
        if (linear_leaves.has_all_rows(n_rows()) &&
            linear_leaves.n_values() * n_trees() <= kMostKept) {
            tree.linear_leaves = made;
            tree.has_current_linear_leaves = true;
        }
    }
    arrays_.extrapolates = plan.extrapolate_linear_leaves && arrays_.n_terms() > 0;
    // forests without linear leaves have none
    if (arrays_.n_terms() == 0) arrays_.linear_offsets.clear();
}

// Shorten the slopes of a leaf by the same factor as its value.
void GrownTrees::shorten_with_linear_leaves(std::optional<double> power, double tree_weight) {
    const PagedVector<double> before =
        arrays_.has_linear_leaves() ? arrays_.value : PagedVector<double>{};
    if (power)
        shorten_log_link_leaves(arrays_.value, *power, tree_weight);
    else
        shorten_class_leaves(arrays_.value, tree_weight);
    if (!arrays_.has_linear_leaves()) return;
    const std::int64_t width = arrays_.leaf_width;
    for (std::int64_t node = 0; node < arrays_.n_nodes(); ++node) {
        for (std::int64_t k = 0; k < width; ++k) {
            const double was = before[static_cast<std::size_t>(node * width + k)],
                         is = arrays_.value[static_cast<std::size_t>(node * width + k)];
            if (was == is) continue;
            for (std::int64_t t = arrays_.linear_offsets[node];
                 t < arrays_.linear_offsets[node + 1]; ++t)
                arrays_.linear_slope[t * width + k] *= is / was;
        }
    }
}

void GrownTrees::add_linear_scores(const double* scores, double* moved, bool with_values) const {
    const std::int64_t n = n_rows(), width = arrays_.leaf_width;
    const int n_threads = grower_->n_threads();
    const Regressors& regressors = *grower_->regressors();
    std::vector<std::int32_t> leaves;
    for (std::int64_t t = 0; t < n_trees(); ++t) {
        const std::int64_t first = arrays_.tree_offsets[static_cast<std::size_t>(t)];
        const double* from = scores + t * width * n;
        double* to = moved + t * width * n;
        if (const GrownTree& tree = tree_at(t); tree.has_current_linear_leaves) {
            tree.linear_leaves->add_to_scores(arrays_, first, with_values, n, from, to, n_threads);
            continue;
        }
        leaves.resize(static_cast<std::size_t>(n));
        tree_at(t).rows->leaves(routes_of(t), n_threads, leaves.data());
        over_rows(n, n_threads, [&](std::int64_t begin, std::int64_t end) {
            for (std::int64_t row = begin; row < end; ++row) {
                const std::int64_t node = first + leaves[static_cast<std::size_t>(row)];
                for (std::int64_t k = 0; k < width; ++k)
                    to[k * n + row] =
                        from[k * n + row] +
                        add_linear_part(arrays_, node, k, with_values, [&](std::int32_t feature) {
                            return regressors.column(feature)[row];
                        });
            }
        });
    }
}

} // namespace ceiba
