#include "leaf/grown_trees.hpp"

#include "base/errors.hpp"
#include "leaf/inner_values.hpp"
#include "leaf/log_link.hpp"
#include "tree/node_sums.hpp"

#include <limits>
#include <unordered_map>

namespace ceiba {

namespace {

double threshold_of(const Grower& grower, const Split& split) {
    if (grower.ranked() != nullptr || !grower.has_bins()) return split.threshold;
    const auto edges = grower.mapper().edges(split.decision.feature);
    // After the last edge come all values: missing against present.
    return split.decision.last < edges.size() ? edges[split.decision.last]
                                              : std::numeric_limits<double>::infinity();
}

// The levels in a set of codes or ranks; exact and approx use the ranks of levels.
CodeSet levels_of(const Grower& grower, const Decision& decision) {
    CodeSet levels;
    if (const RankedColumns* ranked = grower.ranked()) {
        const auto values = ranked->values(decision.feature);
        for (std::size_t rank = 0; rank < values.size(); ++rank)
            if (decision.set->has(static_cast<Code>(rank)))
                levels.add(static_cast<Code>(values[rank]));
        return levels;
    }
    const BinMapper& mapper = grower.mapper();
    for (std::int64_t level = 0; level < mapper.n_levels(decision.feature); ++level)
        if (decision.set->has(mapper.code_of_level(decision.feature, level)))
            levels.add(static_cast<Code>(level));
    return levels;
}

} // namespace

GrownTrees::GrownTrees(std::shared_ptr<Grower> grower, std::int64_t leaf_width, std::size_t sample,
                       std::size_t n_samples)
    : grower_(std::move(grower)), stamp_(grower_->n_grown()),
      first_tree_(grower_->trees().size() / n_samples * sample) {
    arrays_.leaf_width = leaf_width;
    arrays_.tree_offsets.push_back(0);
    // nodes of a level of a symmetric tree share one
    std::unordered_map<const CodeSet*, std::int32_t> sets;
    const std::size_t n_trees = grower_->trees().size() / n_samples;
    std::size_t n_nodes = 0;
    for (const GrownTree& tree : std::span(grower_->trees()).subspan(first_tree_, n_trees))
        n_nodes += tree.nodes.size();
    for_each_array([&](auto array) {
        if (array.per == Per::node && array.part == Part::trees)
            (arrays_.*array.member).reserve(n_nodes);
    });
    routes_.reserve(n_nodes);
    for (const GrownTree& tree : std::span(grower_->trees()).subspan(first_tree_, n_trees)) {
        for (const Node& node : tree.nodes) {
            const bool leaf = node.is_leaf();
            const Decision decision = leaf ? Decision{} : node.split.decision;
            arrays_.feature.push_back(decision.feature);
            arrays_.threshold.push_back(leaf || decision.set ? 0
                                                             : threshold_of(*grower_, node.split));
            if (decision.set) {
                const auto [place, is_new] = sets.try_emplace(decision.set.get(), 0);
                if (is_new) place->second = add_set(arrays_, levels_of(*grower_, decision).words());
                split_by_set(arrays_, place->second);
            }
            arrays_.left.push_back(node.left);
            arrays_.right.push_back(node.right);
            arrays_.missing_left.push_back(decision.missing_left ? 1 : 0);
            arrays_.gain.push_back(leaf ? 0 : node.split.gain);
            arrays_.count.push_back(static_cast<double>(node.sums.count));
            routes_.push_back({decision, node.left, node.right});
        }
        arrays_.tree_offsets.push_back(static_cast<std::int64_t>(arrays_.feature.size()));
    }
    arrays_.value.assign(arrays_.feature.size() * static_cast<std::size_t>(leaf_width), 0.0);
    arrays_.cover.assign(arrays_.feature.size(), 0.0);
    if (arrays_.has_sets()) arrays_.set_of_node.resize(arrays_.feature.size(), -1);
    if (grower_->table_of_leaves() != nullptr)
        move_rows(*grower_->table_of_leaves(), grower_->takes_all_rows(sample));
    else if (grower_->takes_all_rows(sample))
        take_all_rows();
}

// Fit leaves to their rows in another table; counts remain those of growing.
void GrownTrees::move_rows(const BinnedMatrix& table, bool all) {
    for (std::int64_t t = 0; t < n_trees(); ++t) {
        GrownTree& tree = grower_->trees()[first_tree_ + static_cast<std::size_t>(t)];
        std::vector<std::int64_t> counts =
            tree.rows->move_to(table, routes_of(t), all, grower_->n_threads());
        for (std::size_t i = tree.nodes.size(); i-- > 0;) {
            tree.nodes[i].n_rows = counts[i];
            if (i > 0) counts[static_cast<std::size_t>(tree.nodes[i].parent)] += counts[i];
        }
    }
}

// Fit leaves to all rows of the table; counts remain those of the rows that the trees were grown
// on.
void GrownTrees::take_all_rows() {
    for (std::int64_t t = 0; t < n_trees(); ++t) {
        GrownTree& tree = grower_->trees()[first_tree_ + static_cast<std::size_t>(t)];
        std::vector<std::int64_t> taken = tree.rows->take_all(routes_of(t), grower_->n_threads());
        for (std::size_t i = tree.nodes.size(); i-- > 0;) {
            tree.nodes[i].n_rows += taken[i];
            if (i > 0) taken[static_cast<std::size_t>(tree.nodes[i].parent)] += taken[i];
        }
    }
}

template <class Work>
void GrownTrees::for_each_output(Work work) {
    const auto width = static_cast<std::size_t>(arrays_.leaf_width);
    std::vector<double> column, covers;
    for (std::size_t t = 0; t + 1 < arrays_.tree_offsets.size(); ++t) {
        const auto begin = static_cast<std::size_t>(arrays_.tree_offsets[t]),
                   n = static_cast<std::size_t>(arrays_.tree_offsets[t + 1]) - begin;
        const std::span<double> own = std::span(arrays_.cover).subspan(begin, n);
        OutputLeaves leaves{tree_at(static_cast<std::int64_t>(t)),
                            grower_->weights(first_tree_ + t),
                            shape_of(arrays_, begin, n),
                            t,
                            begin,
                            std::span(arrays_.value).subspan(begin, n),
                            own};
        if (width == 1) {
            work(leaves);
            continue;
        }
        for (std::size_t c = 0; c < width; ++c) {
            double* values = arrays_.value.data() + begin * width + c;
            column.resize(n);
            for (std::size_t i = 0; i < n; ++i) column[i] = values[i * width];
            covers.assign(own.begin(), own.end()); // those of the first output remain
            leaves.output = t * width + c;
            leaves.begin = begin * width + c * n;
            leaves.values = column;
            leaves.covers = c == 0 ? own : std::span(covers);
            work(leaves);
            for (std::size_t i = 0; i < n; ++i) values[i * width] = column[i];
        }
    }
}

void GrownTrees::check_current() const {
    if (stamp_ != grower_->n_grown())
        throw InputError("These trees no longer know the rows that they were grown from, because "
                         "their grower has grown other trees. "
                         "Fit leaves and add to the training scores before the next call of grow.");
}

void GrownTrees::check_views(std::span<const GradientView> views) const {
    check_current();
    if (static_cast<std::int64_t>(views.size()) != n_outputs())
        throw InputError("There must be gradients for each output.");
}

void GrownTrees::fit_first_step(std::span<const GradientView> views, double learning_rate,
                                bool others) {
    check_views(views);
    for_each_output([&](const OutputLeaves& leaves) {
        const GradientView& view = views[leaves.output];
        // The extent that a tree stores holds for a single output and the gradients of growing.
        const Extent extent =
            arrays_.leaf_width == 1 && leaves.tree.knows_extent && !others
                ? leaves.tree.extent
                : extent_of_rows(leaves.tree, view, leaves.weights, grower_->n_threads());
        fit_constant_leaves(leaves.tree, view, extent, leaves.weights, grower_->plan(),
                            learning_rate, grower_->n_threads(), leaves.values, leaves.covers);
    });
    fit_linear_leaves(views, learning_rate, others);
}

void GrownTrees::fit_constant(std::span<const GradientView> views, double learning_rate,
                              bool others) {
    fit_first_step(views, learning_rate, others);
    order(); // clipping to the bounds of nodes keeps the order
}

void GrownTrees::begin_steps(std::span<const GradientView> views,
                             std::optional<double> log_link_power, bool others) {
    fit_first_step(views, 1.0, others);
    // Otherwise the exponential of the next step may overflow.
    if (log_link_power) shorten_with_linear_leaves(log_link_power, 1.0);
    known_.clear();
    for_each_output([&](const OutputLeaves& leaves) {
        for (const double value : leaves.values) known_.push_back(known_after(value));
    });
}

void GrownTrees::step(std::span<const GradientView> views, std::optional<double> log_link_power) {
    check_views(views);
    if (known_.empty()) throw InputError("Call begin_steps before steps of leaves.");
    for_each_output([&](const OutputLeaves& leaves) {
        step_leaves(leaves.tree, views[leaves.output], leaves.weights, grower_->plan(),
                    log_link_power, grower_->n_threads(), leaves.values,
                    std::span(known_).subspan(leaves.begin, leaves.values.size()));
    });
}

void GrownTrees::end_steps(double learning_rate) {
    check_current();
    for_each_output([&](const OutputLeaves& leaves) {
        fill_inner_values(leaves.tree, smallest_cover(grower_->plan(), leaves.covers[0]),
                          leaves.values, leaves.covers);
    });
    for (double& value : arrays_.value) value *= learning_rate;
    for (double& slope : arrays_.linear_slope) slope *= learning_rate;
    order();
    known_ = {};
}

void GrownTrees::order() {
    if (!grower_->plan().is_monotone()) return;
    for_each_output([&](const OutputLeaves& leaves) {
        make_leaves_monotone(leaves.shape, grower_->plan().columns.monotone, leaves.values);
    });
}

void GrownTrees::fit_residual(const double* target, const double* scores,
                              std::span<const ResidualRule> rules, double constant_hessian,
                              double learning_rate) {
    check_current();
    if (static_cast<std::int64_t>(rules.size()) != n_outputs())
        throw InputError("There must be a rule for each output.");
    std::vector<double> with_linear_leaves; // residuals after the slopes are added
    if (arrays_.has_linear_leaves()) {
        with_linear_leaves.resize(static_cast<std::size_t>(n_outputs() * n_rows()));
        add_linear_scores(scores, with_linear_leaves.data(), false);
        scores = with_linear_leaves.data();
    }
    for_each_output([&](const OutputLeaves& leaves) {
        fit_residual_leaves(
            leaves.tree, target, scores + static_cast<std::int64_t>(leaves.output) * n_rows(),
            n_rows(), leaves.output, rules[leaves.output], constant_hessian, leaves.weights,
            grower_->plan(), learning_rate, grower_->n_threads(), leaves.values, leaves.covers);
    });
    for (double& slope : arrays_.linear_slope) slope *= learning_rate;
    order();
}

void GrownTrees::shorten_leaves(std::optional<double> power, double tree_weight) {
    check_current();
    shorten_with_linear_leaves(power, tree_weight);
    order(); // the rounding of a logarithm may violate it in the last bit
}

void GrownTrees::add_to_scores(const double* scores, double* moved) const {
    check_current();
    if (arrays_.has_linear_leaves()) return add_linear_scores(scores, moved, true);
    const std::int64_t n = n_rows(), width = arrays_.leaf_width;
    for (std::int64_t t = 0; t < n_trees(); ++t) {
        tree_at(t).rows->add_to_scores(routes_of(t), values_of(t), width, scores + t * width * n,
                                       moved + t * width * n, grower_->n_threads());
    }
}

void GrownTrees::check_bins(const BinnedMatrix& binned) const {
    if (grower_->ranked() != nullptr)
        throw InputError(
            "Exact thresholds lie between bin edges, so binned rows are not enough. Make "
            "a Forest of the trees and give it the raw values.");
    if (binned.n_features() != grower_->mapper().n_features())
        throw InputError(
            "The table must have the " + std::to_string(grower_->mapper().n_features()) +
            " columns of the training table. Got " + std::to_string(binned.n_features()) + ".");
}

void GrownTrees::add_to_binned_scores(const BinnedMatrix& binned, double* scores) const {
    if (arrays_.has_linear_leaves())
        throw InputError("Linear leaves need the raw values of the columns. Make a Forest of the "
                         "trees and give it these.");
    const std::int64_t n = binned.n_rows(), width = arrays_.leaf_width;
    for (std::int64_t t = 0; t < n_trees(); ++t) {
        const double* values = values_of(t);
        double* own = scores + t * width * n;
        for_each_leaf(t, binned, [&](std::int64_t row, std::int64_t leaf) {
            for (std::int64_t c = 0; c < width; ++c) own[c * n + row] += values[leaf * width + c];
        });
    }
}

std::span<const RoutedNode> GrownTrees::routes_of(std::int64_t tree) const {
    if (routes_.empty()) throw InputError("These trees have dropped the routes of their rows.");
    const auto t = static_cast<std::size_t>(tree);
    const auto first = static_cast<std::size_t>(arrays_.tree_offsets[t]);
    return std::span(routes_).subspan(first, static_cast<std::size_t>(arrays_.tree_offsets[t + 1]) -
                                                 first);
}

const double* GrownTrees::values_of(std::int64_t tree) const {
    return arrays_.value.data() +
           arrays_.tree_offsets[static_cast<std::size_t>(tree)] * arrays_.leaf_width;
}

} // namespace ceiba
