// The search of a tree whose splits gain by linear models (gradient/linear_model.hpp).
//
// Every node that is searched has a model: the root a constant, or the ridge of given columns, others
// the one that their parent's split fitted. Before the histogram of a node is summed, its rows are
// packed at its model; a histogram therefore serves its own node only, and is not subtracted from.

#include "base/errors.hpp"
#include "parallel/pool.hpp"
#include "tree/tree_grower.hpp"

#include <algorithm>
#include <cmath>

namespace ceiba {

namespace {

// Gradients at the models of nodes may be larger than those that trees are grown from, by this much
// before they are cut off.
constexpr double kRoom = 0x1p6;
// Bits of a product of a row, at most.
constexpr int kProductBits = 40;
// What the scan of a column costs, in steps of a few nanoseconds.
constexpr std::int64_t kScanWork = 8000;

} // namespace

void TreeGrower::start_linear() {
    const LinearRule& rule = plan_.linear_gain;
    if (approx_ || exact_ || lists_ || plan_.vector_leaves || plan_.is_monotone() ||
        plan_.extra_trees || rule_.cosine)
        throw InputError("linear gains need trees of bins of one output, without monotone columns, "
                         "lists, random thresholds and score='cosine'.");
    if (std::ssize(rule.values) != mapper().n_features())
        throw InputError("linear gains need what the bins of every column stand for.");
    const auto n_most = rule.given ? std::ssize(rule.features) : rule.max_features;
    if (rule.fit == LinearFit::full && n_most > kMostBasis)
        throw InputError("linear gains of full fits have at most " + std::to_string(kMostBasis) +
                         " regressors.");
    linear_ = std::make_unique<LinearState>(
        LinearState{BinnedRegressors(local_->binned(), rule.values), 2, {}, {}, {}});
    const int most = rule.fit == LinearFit::additive        ? 0
                     : rule.fit == LinearFit::half_additive ? 1
                                                            : static_cast<int>(n_most);
    linear_->n_planes = n_moment_planes(most);
}

// The wide form, with room for what models add to gradients.
Packed TreeGrower::pack_linear_rows(const Measured& measured, const GradientView& view,
                                    const WeightFacts& weights) {
    Measured roomy = measured;
    roomy.extent.gradient *= kRoom;
    const int repeat_bits = bits_for(static_cast<std::uint64_t>(measured.repeats)),
              levels = std::min(kProductBits, 61 - repeat_bits);
    const auto scale_of = [&](double largest) {
        return power_of_two(
            std::clamp(largest > 0 ? levels - exponent_above(largest) : 0, -1000, 1000));
    };
    MomentScales& scales = linear_->scales;
    Packed packed = pack_output(roomy, weights, view.hessians == nullptr, view.constant_hessian, {},
                                0, false, [&](const PackOrder& order) {
                                    scales.gradient = order.gradient_scale;
                                    scales.gradient_limit = order.gradient_limit;
                                    return exchange_->pack(order, n_threads_);
                                });
    packed.measured = measured;
    scales.product_gradient = scale_of(roomy.extent.gradient);
    scales.product_hessian = scale_of(measured.extent.hessian);
    scales.product_limit = power_of_two(levels);
    linear_->units = {1 / scales.product_gradient, 1 / scales.product_hessian};
    local_->start_moments(linear_->n_planes);
    return packed;
}

// The best constant; or, where columns are given, the ridge of them.
void TreeGrower::fit_root() {
    const LinearRule& rule = plan_.linear_gain;
    const Node& root = node_at(0);
    LinearNode own;
    const double hessian = hessian_of(root),
                 gradient = static_cast<double>(root.sums.gradient) * packed_.packing.gradient_unit;
    if (!rule.given || rule.features.empty()) {
        if (hessian + rule_.lambda > 0) own.model.intercept = -gradient / (hessian + rule_.lambda);
    } else {
        // The sums of the root, with the functions of a full fit.
        LinearModel blank;
        for (const int feature : rule.features) blank.terms.push_back({feature, 0.0});
        const Basis basis = Basis::of(LinearFit::full, blank, rule.values);
        const int n = basis.n();
        const NodeWords order{0, &blank, &basis, linear_->scales};
        if (n_moment_planes(n) > linear_->n_planes) local_->start_moments(n_moment_planes(n));
        const std::vector<std::int64_t> sums =
            local_->pack_nodes({&order, 1}, linear_->regressors, n_threads_)[0];
        local_->start_moments(linear_->n_planes);
        std::vector<double> side{gradient}, matrix{hessian + rule_.lambda};
        const auto real = [&](int plane, double unit) {
            return static_cast<double>(sums[static_cast<std::size_t>(plane)]) * unit;
        };
        for (int a = 0; a < n; ++a) {
            side.push_back(real(plane_of_gradient(a), linear_->units.gradient));
            matrix.push_back(real(plane_of_hessian(n, a), linear_->units.hessian));
            for (int b = 0; b <= a; ++b)
                matrix.push_back(real(plane_of_product(n, a, b), linear_->units.hessian));
            const double scale = basis.scales[static_cast<std::size_t>(a)];
            matrix.back() += rule.lambda / (scale * scale);
            // A function is z divided by its scale, and so its coefficient the slope times it.
        }
        std::vector<double> found;
        solve(std::move(matrix), std::move(side), found);
        own.model.intercept = found[0];
        for (int a = 0; a < n; ++a)
            own.model.terms.push_back({rule.features[static_cast<std::size_t>(a)],
                                       found[static_cast<std::size_t>(a) + 1] /
                                           basis.scales[static_cast<std::size_t>(a)]});
    }
    linear_->nodes.assign(1, std::move(own));
}

void TreeGrower::pack_nodes(std::span<const Build> builds) {
    std::vector<NodeWords> orders;
    for (const Build& build : builds) {
        LinearNode& own = linear_at(build.node);
        own.basis = Basis::of(plan_.linear_gain.fit, own.model, plan_.linear_gain.values);
        orders.push_back({build.node, &own.model, &own.basis, linear_->scales});
    }
    const auto sums = local_->pack_nodes(orders, linear_->regressors, n_threads_);
    for (std::size_t i = 0; i < orders.size(); ++i)
        node_at(orders[i].node).sums.gradient = sums[i][0];
}

// Whether a split by a column gives the children of a node a slope in it.
bool TreeGrower::adds_regressor(const LinearModel& model, int feature) const {
    const LinearRule& rule = plan_.linear_gain;
    if (!rule.may_regress(feature)) return false;
    if (model.place_of(feature) >= 0) return true;
    return !rule.given && std::ssize(model.terms) < rule.max_features;
}

LinearScan TreeGrower::linear_scan(const Node& node, int feature) {
    const LinearRule& rule = plan_.linear_gain;
    const LinearNode& own = linear_at(static_cast<int>(&node - nodes_->data()));
    const LinearModel& model = own.model;
    const Planes bins = layout_.of_feature(pool_.words(node.histogram), n_planes(), feature);
    LinearScan scan;
    scan.column = scan_of(node, feature);
    scan.all = {bins.words, bins.stride, bins.n_planes, bins.n};
    scan.n_basis = own.basis.n();
    scan.units = linear_->units;
    scan.node_penalty = model.penalty(rule_.lambda, rule.lambda);
    const int n = scan.n_basis, last = n + 1, place = model.place_of(feature);
    const bool slope = !plan_.is_category(feature) && adds_regressor(model, feature) &&
                       !(rule.fit == LinearFit::full && place >= 0);
    Penalties& penalties = scan.penalties;
    penalties.of[0] = rule_.lambda;
    penalties.pull[0] = rule_.lambda * model.intercept;
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
        // The basis function is what it stands for divided by the scale.
        penalties.of[Penalties::at(a + 1, a + 1)] = rule.lambda * square / (scale * scale);
        penalties.pull[a + 1] = rule.lambda * pull / scale;
    }
    return scan;
}

void TreeGrower::scan_linear_column(const Node& node, int feature, Split& best) {
    const LinearScan scan = linear_scan(node, feature);
    if (!plan_.is_category(feature)) return scan_linear(scan, best);
    // The set that is best for constants, and what it gains for linear models.
    Split own;
    scan_category({&scan.column, 1}, plan_.kind(feature), plan_.category, false, own);
    if (!own.found()) return;
    own.gain = linear_gain_of(scan, own.decision);
    if (own.gain > best.gain) best = own;
}

// Columns of nodes whose histograms are complete. A scan of models takes so long beside the sums that the
// columns of a group are shared by threads.
void TreeGrower::scan_linear_columns(std::span<Found> found) {
    struct Task {
        Found* of;
        std::size_t at; // among its columns
        Split best;
        int feature() const { return of->columns[at]; }
    };
    std::vector<Task> tasks;
    for (Found& one : found)
        for (std::size_t at = 0; at < one.columns.size(); ++at)
            if (layout_.has(one.columns[at])) tasks.push_back({&one, at, {}});
    const auto n = std::ssize(tasks);
    parallel_for(useful_threads(n_threads_, kScanWork * n), n, [&](std::int64_t i) {
        Task& task = tasks[static_cast<std::size_t>(i)];
        scan_linear_column(node_at(task.of->node), task.feature(), task.best);
    });
    for (const Task& task : tasks) {
        if (!task.of->hopeful.empty())
            task.of->hopeful[task.at] = is_hopeful(node_at(task.of->node), task.best.gain);
        take_better(task.best, task.of->best);
    }
}

void TreeGrower::add_linear_gains(const Node& node, int feature, double* right, double* left) {
    const LinearScan scan = linear_scan(node, feature);
    const auto n = static_cast<std::size_t>(scan.column.n_values);
    std::vector<double> gains(2 * n);
    linear_gains(scan, gains.data(), gains.data() + n);
    const bool none_missing = missing_sums(scan.column).count == 0;
    for (std::size_t b = 0; b < n; ++b) {
        right[b] += std::max(0.0, gains[b]);
        // Where nothing is missing both ways are the same.
        if (scan.column.has_missing) left[b] += std::max(0.0, gains[none_missing ? b : n + b]);
    }
}

double TreeGrower::linear_gain(const Node& node, const Decision& decision) {
    return linear_gain_of(linear_scan(node, decision.feature), decision);
}

LinearModel TreeGrower::changed(const LinearNode& node, int feature, const Change& change) const {
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

// The models of the children, while the histogram of the node is there.
void TreeGrower::fit_children_of(int number) {
    const Node& node = node_at(number);
    LinearNode& own = linear_at(number);
    own.left = own.right = own.model;
    if (!node.split.found() || node.n_rows == 0) return;
    const int feature = node.split.decision.feature;
    const Changes changes = fit_children(linear_scan(node, feature), node.split.decision);
    own.left = changed(own, feature, changes.left);
    own.right = changed(own, feature, changes.right);
}

void TreeGrower::hand_down(int number) {
    linear_->nodes.resize(nodes_->size());
    const Node& node = node_at(number);
    const LinearNode& own = linear_at(number);
    linear_at(node.left).model = own.left;
    linear_at(node.right).model = own.right;
}

} // namespace ceiba
