#include "leaf/linear_solve.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace ceiba {

namespace {

// A regressor with a smaller share of its variance left by the others counts as collinear.
constexpr double kSmallestPivot = 1e-11;
// K of the shrinkage by noise (docs/measurements.md).
constexpr double kNoiseFactor = 2;
// Smaller shares of the total variance are rounding errors.
constexpr double kSmallestVariance = 1e-12;

// In-place LDL' factorization with a unit lower factor; false if the matrix is singular.
bool factorize(std::vector<double>& a, std::size_t n) {
    for (std::size_t j = 0; j < n; ++j) {
        double pivot = a[j * n + j];
        for (std::size_t k = 0; k < j; ++k) pivot -= a[j * n + k] * a[j * n + k];
        if (!(pivot > kSmallestPivot * a[j * n + j])) return false;
        const double root = std::sqrt(pivot);
        for (std::size_t i = j + 1; i < n; ++i) {
            double sum = a[i * n + j];
            for (std::size_t k = 0; k < j; ++k) sum -= a[i * n + k] * a[j * n + k];
            a[i * n + j] = sum / root;
        }
        a[j * n + j] = root;
    }
    return true;
}

void substitute_forward(const std::vector<double>& a, std::size_t n, std::vector<double>& x) {
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t k = 0; k < i; ++k) x[i] -= a[i * n + k] * x[k];
        x[i] /= a[i * n + i];
    }
}

void substitute_backward(const std::vector<double>& a, std::size_t n, std::vector<double>& x) {
    for (std::size_t i = n; i-- > 0;) {
        for (std::size_t k = i + 1; k < n; ++k) x[i] -= a[k * n + i] * x[k];
        x[i] /= a[i * n + i];
    }
}

// Shrinks orthogonal coefficients; false if they are noise.
bool shrink_by_noise(const LinearSums& sums, double below, std::vector<double>& u) {
    double explained = 0;
    for (const double one : u) explained += one * one;
    const double all = sums.squared_gradients * (sums.hessian / sums.squared_hessians),
                 n_rows = sums.hessian * (sums.hessian / sums.squared_hessians),
                 k = static_cast<double>(u.size()), freedom = n_rows - 1 - k;
    if (!(freedom > 0)) return false;
    const double left = all - sums.gradient * sums.gradient / below - explained,
                 variance = std::max(left, kSmallestVariance * all) / freedom,
                 kept = 1 - kNoiseFactor * k * variance / explained;
    if (!(kept > 0)) return false;
    for (double& one : u) one *= kept;
    return true;
}

} // namespace

std::vector<double> solve_linear(const LinearSums& sums, double lambda, double linear_lambda,
                                 bool shrink) {
    const std::size_t n = sums.gz.size();
    const double below = sums.hessian + lambda;
    if (!(sums.hessian > 0) || n == 0) return {};
    // Without the constant, which follows from the slopes; each regressor in units of its
    // deviation.
    std::vector<double> unit(n), a(n * n), x(n);
    for (std::size_t i = 0; i < n; ++i) {
        const double variance = sums.hzz[i * n + i] - sums.hz[i] * sums.hz[i] / below;
        if (!(variance > 0)) return {};
        unit[i] = std::sqrt(variance);
    }
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = i; j < n; ++j)
            a[j * n + i] =
                (sums.hzz[i * n + j] - sums.hz[i] * sums.hz[j] / below) / unit[i] / unit[j];
        const double spread = sums.hzz[i * n + i] - sums.hz[i] * sums.hz[i] / sums.hessian;
        a[i * n + i] = 1.0 + linear_lambda / sums.hessian * spread / unit[i] / unit[i];
        x[i] = -(sums.gz[i] - sums.hz[i] * sums.gradient / below) / unit[i];
    }
    if (!factorize(a, n)) return {};
    substitute_forward(a, n, x);
    if (shrink && !shrink_by_noise(sums, below, x)) return {};
    substitute_backward(a, n, x);
    for (std::size_t i = 0; i < n; ++i) {
        x[i] /= unit[i];
        if (!std::isfinite(x[i])) return {};
    }
    return x;
}

} // namespace ceiba
