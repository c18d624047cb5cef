#include "split/linear.hpp"

#include "base/cpu.hpp"

#include <algorithm>
#include <limits>

namespace ceiba {

namespace {

constexpr double kNever = -std::numeric_limits<double>::infinity();

double real(std::uint64_t word, double unit) {
    return static_cast<double>(static_cast<std::int64_t>(word)) * unit;
}

// The moments of a child: of 1, the basis and perhaps the column.
struct Child {
    double count = 0;
    std::vector<double> side, matrix;

    explicit Child(int n)
        : side(static_cast<std::size_t>(n), 0.0),
          matrix(static_cast<std::size_t>(n * (n + 1) / 2), 0.0) {}
    double& at(int i, int j) { return matrix[static_cast<std::size_t>(Penalties::at(i, j))]; }
    double hessian() const { return matrix[0]; }
};

void add_bin(const LinearScan& scan, int b, Child& to) {
    const Packing& packing = *scan.column.packing;
    const int n = scan.n_basis, last = n + 1;
    const Sums sums = unpack(scan.column.words(b), packing);
    const double gradient = static_cast<double>(sums.gradient) * packing.gradient_unit,
                 hessian = static_cast<double>(sums.hessian) * packing.hessian_unit,
                 x = scan.values != nullptr ? scan.values[b] : 0.0;
    to.count += static_cast<double>(sums.count);
    to.side[0] += gradient;
    to.at(0, 0) += hessian;
    for (int a = 0; a < n; ++a) {
        const double own = real(scan.all.plane(plane_of_hessian(n, a))[b], scan.units.hessian);
        to.side[static_cast<std::size_t>(a) + 1] +=
            real(scan.all.plane(plane_of_gradient(a))[b], scan.units.gradient);
        to.at(a + 1, 0) += own;
        for (int c = 0; c <= a; ++c)
            to.at(a + 1, c + 1) +=
                real(scan.all.plane(plane_of_product(n, a, c))[b], scan.units.hessian);
        if (scan.values != nullptr) to.at(last, a + 1) += own * x;
    }
    if (scan.values == nullptr) return;
    to.side[static_cast<std::size_t>(last)] += gradient * x;
    to.at(last, 0) += hessian * x;
    to.at(last, last) += hessian * x * x;
}

struct Children {
    Child left, right;
};

Children moments_of(const LinearScan& scan, const Decision& decision) {
    const ColumnScan& column = scan.column;
    const int n = scan.n_functions();
    Children children{Child(n), Child(n)};
    for (int b = 0; b < column.n_values; ++b) {
        const bool left = decision.set ? decision.set->has(static_cast<Code>(b))
                                       : b <= static_cast<int>(decision.last);
        add_bin(scan, b, left ? children.left : children.right);
    }
    if (column.has_missing)
        add_bin(scan, column.n_values, decision.missing_left ? children.left : children.right);
    return children;
}

bool is_enough(const Child& child, const GainRule& rule) {
    return child.count >= rule.min_count && child.hessian() >= rule.min_child_weight;
}

Change fit(const Child& child, const LinearScan& scan) {
    const int n = scan.n_functions();
    std::vector<double> matrix = child.matrix, side = child.side;
    for (std::size_t i = 0; i < matrix.size(); ++i) matrix[i] += scan.penalties.of[i];
    for (std::size_t i = 0; i < side.size(); ++i) side[i] += scan.penalties.pull[i];
    if (child.count < fewest_rows(n)) {
        matrix.resize(1);
        side.resize(1);
    }
    Change change;
    change.fall = solve(std::move(matrix), std::move(side), change.of);
    change.of.resize(static_cast<std::size_t>(n), 0.0);
    return change;
}

} // namespace

double solve(std::vector<double> matrix, std::vector<double> side, std::vector<double>& out) {
    const int n = static_cast<int>(side.size());
    const auto at = [&](int i, int j) -> double& {
        return matrix[static_cast<std::size_t>(Penalties::at(i, j))];
    };
    std::vector<double> inverse(side.size(), 0.0);
    std::vector<double> smallest(side.size());
    for (int i = 0; i < n; ++i) smallest[static_cast<std::size_t>(i)] = at(i, i) * kSmallestPivot;
    double fall = 0;
    for (int i = 0; i < n; ++i) {
        const auto own = static_cast<std::size_t>(i);
        inverse[own] = at(i, i) > smallest[own] ? 1 / at(i, i) : 0.0;
        fall += side[own] * side[own] * inverse[own];
        for (int j = i + 1; j < n; ++j) {
            const double factor = at(j, i) * inverse[own];
            side[static_cast<std::size_t>(j)] -= factor * side[own];
            for (int c = i + 1; c <= j; ++c) at(j, c) -= factor * at(c, i);
        }
    }
    out.assign(side.size(), 0.0);
    for (int i = n; i-- > 0;) {
        const auto own = static_cast<std::size_t>(i);
        double rest = -side[own];
        for (int j = i + 1; j < n; ++j) rest -= at(j, i) * out[static_cast<std::size_t>(j)];
        out[own] = rest * inverse[own];
    }
    return fall;
}

void linear_gains(const LinearScan& scan, double* missing_right, double* missing_left) {
    // Prefix sums of all moments over the bins, padded to whole batches of candidates.
    thread_local std::vector<double> room;
    const int n = scan.n_functions();
    const auto size = static_cast<std::size_t>(1 + n + n * (n + 1) / 2) *
                      (static_cast<std::size_t>(scan.column.n_values) + 16);
    if (room.size() < size) room.resize(size);
    (use_avx2() ? avx2::linear_gains : baseline::linear_gains)(scan, room.data(), missing_right,
                                                               missing_left);
}

void scan_linear(const LinearScan& scan, Split& best) {
    const ColumnScan& column = scan.column;
    const auto n = static_cast<std::size_t>(column.n_values);
    thread_local std::vector<double> gains;
    gains.assign(2 * n, 0.0);
    double *right = gains.data(), *left = right + n;
    linear_gains(scan, right, left);
    int found = -1;
    bool found_left = false;
    for (std::size_t b = 0; b < n; ++b) {
        for (const bool missing_left : {true, false}) {
            const double gain = missing_left ? left[b] : right[b];
            if (!(gain > best.gain)) continue;
            best.gain = gain;
            found = static_cast<int>(b);
            found_left = missing_left;
        }
    }
    if (found < 0) return;
    // Without missing values in the node, missing values go left.
    const bool none = missing_sums(column).count == 0;
    take_threshold(column, found, found_left || none, best);
}

Changes fit_children(const LinearScan& scan, const Decision& decision) {
    const Children children = moments_of(scan, decision);
    return {fit(children.left, scan), fit(children.right, scan)};
}

double linear_gain_of(const LinearScan& scan, const Decision& decision) {
    const Children children = moments_of(scan, decision);
    if (!is_enough(children.left, *scan.column.rule) ||
        !is_enough(children.right, *scan.column.rule))
        return kNever;
    return fit(children.left, scan).fall + fit(children.right, scan).fall - scan.node_penalty;
}

} // namespace ceiba
