#include "tree/linear_splits.hpp"

#include "base/errors.hpp"
#include "parallel/pool.hpp"

#include <algorithm>
#include <cmath>
#include <string>

namespace ceiba {

namespace {

// Gradients at the models of nodes may be larger than those that trees are grown from, by this much
// before they are cut off.
constexpr double kRoom = 0x1p6;
// Maximum bits of a product of one row.
constexpr int kProductBits = 40;
// Cost of the scan of a column, in units of a few nanoseconds.
constexpr std::int64_t kScanWork = 8000;

} // namespace

LinearSplits::LinearSplits(GrowingTree& tree, ColumnChoice& columns, LocalExchange& exchange)
    : HistogramSplits(tree, columns, exchange.binned().mapper(), exchange, &exchange),
      linear_(tree, scans_), regressors_(exchange.binned(), tree.plan.linear_gain.values) {
    const LinearRule& rule = tree.plan.linear_gain;
    if (std::ssize(rule.values) != exchange.binned().n_features())
        throw InputError("linear gains need the value of each bin of every column.");
    const auto n_most = rule.given ? std::ssize(rule.features) : rule.max_features;
    if (rule.fit == LinearFit::full && n_most > kMostBasis)
        throw InputError("linear gains of full fits have at most " + std::to_string(kMostBasis) +
                         " regressors.");
    n_planes_ = n_moment_planes(rule.fit == LinearFit::additive        ? 0
                                : rule.fit == LinearFit::half_additive ? 1
                                                                       : static_cast<int>(n_most));
}

// The wide form, with spare bits for what linear models add to gradients.
void LinearSplits::pack(std::span<const GradientView> views, const RowSelection& selection) {
    const GradientView& view = views[0];
    const Measured measured = exchange_.measure(view, selection, tree_.n_threads);
    Measured roomy = measured;
    roomy.extent.gradient *= kRoom;
    const int repeat_bits = bits_for(static_cast<std::uint64_t>(measured.repeats)),
              levels = std::min(kProductBits, 61 - repeat_bits);
    const auto scale_of = [&](double largest) {
        return power_of_two(
            std::clamp(largest > 0 ? levels - exponent_above(largest) : 0, -1000, 1000));
    };
    Packed packed = pack_output(roomy, selection.weights, view.hessians == nullptr,
                                view.constant_hessian, {}, 0, false, [&](const PackOrder& order) {
                                    scales_.gradient = order.gradient_scale;
                                    scales_.gradient_limit = order.gradient_limit;
                                    return exchange_.pack(order, tree_.n_threads);
                                });
    packed.measured = measured;
    scales_.product_gradient = scale_of(roomy.extent.gradient);
    scales_.product_hessian = scale_of(measured.extent.hessian);
    scales_.product_limit = power_of_two(levels);
    linear_.units = {1 / scales_.product_gradient, 1 / scales_.product_hessian};
    local_->start_moments(n_planes_);
    tree_.packed.assign(1, std::move(packed));
}

void LinearSplits::start(const RowSelection& selection) {
    HistogramSplits::start(selection);
    scorer_ = &linear_;
    linear_.nodes.assign(1, LinearNode{fit_root(), {}, {}, {}});
}

// The best constant, or a ridge regression on given columns.
LinearModel LinearSplits::fit_root() {
    const LinearRule& rule = tree_.plan.linear_gain;
    const double hessian = tree_.hessian_of(tree_.at(0)),
                 gradient =
                     static_cast<double>(tree_.at(0).sums.gradient) * tree_.packing().gradient_unit;
    if (rule.given && !rule.features.empty()) return ridge_of_given(gradient, hessian);
    LinearModel model;
    if (hessian + tree_.rule.lambda > 0)
        model.intercept = -gradient / (hessian + tree_.rule.lambda);
    return model;
}

// Computed from the moments of the root for the functions of a full fit.
LinearModel LinearSplits::ridge_of_given(double gradient, double hessian) {
    const LinearRule& rule = tree_.plan.linear_gain;
    LinearModel blank;
    for (const int feature : rule.features) blank.terms.push_back({feature, 0.0});
    const Basis basis = Basis::of(LinearFit::full, blank, rule.values);
    const int n = basis.n();
    const NodeWords order{0, &blank, &basis, scales_};
    if (n_moment_planes(n) > n_planes_) local_->start_moments(n_moment_planes(n));
    const std::vector<std::int64_t> sums =
        local_->pack_nodes({&order, 1}, regressors_, tree_.n_threads)[0];
    local_->start_moments(n_planes_);
    std::vector<double> side{gradient}, matrix{hessian + tree_.rule.lambda};
    const auto real = [&](int plane, double unit) {
        return static_cast<double>(sums[static_cast<std::size_t>(plane)]) * unit;
    };
    for (int a = 0; a < n; ++a) {
        side.push_back(real(plane_of_gradient(a), linear_.units.gradient));
        matrix.push_back(real(plane_of_hessian(n, a), linear_.units.hessian));
        for (int b = 0; b <= a; ++b)
            matrix.push_back(real(plane_of_product(n, a, b), linear_.units.hessian));
        const double scale = basis.scales[static_cast<std::size_t>(a)];
        matrix.back() += rule.lambda / (scale * scale);
        // A function is z / scale, so its coefficient is slope * scale.
    }
    std::vector<double> found;
    solve(std::move(matrix), std::move(side), found);
    LinearModel model;
    model.intercept = found[0];
    for (int a = 0; a < n; ++a)
        model.terms.push_back(
            {rule.features[static_cast<std::size_t>(a)],
             found[static_cast<std::size_t>(a) + 1] / basis.scales[static_cast<std::size_t>(a)]});
    return model;
}

void LinearSplits::before_sum(std::span<const Build> builds) {
    std::vector<NodeWords> orders;
    for (const Build& build : builds) {
        LinearNode& own = linear_.at(build.node);
        own.basis = Basis::of(tree_.plan.linear_gain.fit, own.model, tree_.plan.linear_gain.values);
        orders.push_back({build.node, &own.model, &own.basis, scales_});
    }
    const auto sums = local_->pack_nodes(orders, regressors_, tree_.n_threads);
    for (std::size_t i = 0; i < orders.size(); ++i)
        tree_.at(orders[i].node).sums.gradient = sums[i][0];
}

// Scanning linear models takes much longer than summing, so threads share the columns of a group.
void LinearSplits::sum(std::span<const Build> builds, std::span<Found> found) {
    store_.sum(builds, [](int, int) {});
    struct Task {
        Found* of;
        std::size_t at; // among its columns
        Split best;
        int feature() const { return of->columns[at]; }
    };
    std::vector<Task> tasks;
    for (Found& one : found)
        for (std::size_t at = 0; at < one.columns.size(); ++at)
            if (store_.has(one.columns[at])) tasks.push_back({&one, at, {}});
    const auto n = std::ssize(tasks);
    parallel_for(useful_threads(tree_.n_threads, kScanWork * n), n, [&](std::int64_t i) {
        Task& task = tasks[static_cast<std::size_t>(i)];
        linear_.scan(tree_.at(task.of->node), task.feature(), task.best);
    });
    for (const Task& task : tasks) {
        if (!task.of->hopeful.empty())
            task.of->hopeful[task.at] = tree_.is_hopeful(tree_.at(task.of->node), task.best.gain);
        take_better(task.best, task.of->best);
    }
}

} // namespace ceiba
