// Linear models of tree nodes during growth with linear gain.
//
// A node adds  intercept + sum of slope_j * z_j  to a score, where z_j is the regressor value of a
// row's bin in column j (data/binning/bin_values.hpp): centered, scaled, 0 for a missing value. A
// split makes its column a regressor of the children.
//
// A child is fitted to the gradients and hessians before the tree: it minimizes
//   sum of (g f + h f^2 / 2) + lambda intercept^2 / 2 + linear_lambda sum of slopes^2 / 2.
// Only the coefficients of a few functions, its *basis*, may differ from its parent's model:
//
//   additive        1                    and the column that was split
//   half_additive   1, the parent's sum of slopes times regressors (its scale), and that column
//   full            1, every regressor of the parent, and that column
//
// With the gradients at the parent's model, g + h f_parent, the best change solves a linear system
// with one equation per function. Its coefficients are moments: planes of a histogram
// (split/linear.hpp).
#pragma once

#include "data/binning/bin_values.hpp"

#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

namespace ceiba {

enum class LinearFit { none, additive, half_additive, full };

// Parameters of linear models in the gain.
struct LinearRule {
    LinearFit fit = LinearFit::none;
    int max_features = 5;
    double lambda = 0;           // penalty of slopes
    std::vector<int> features{}; // the regressors of every node, if given
    bool given = false;
    BinValues values{}; // an empty column is no regressor

    bool exists() const { return fit != LinearFit::none; }
    bool may_regress(int feature) const {
        return !values[static_cast<std::size_t>(feature)].empty();
    }
};

struct LinearTerm {
    int feature;
    double slope;
};

struct LinearModel {
    double intercept = 0;
    std::vector<LinearTerm> terms{};

    // The index of a column among the terms, or -1.
    int place_of(int feature) const {
        for (std::size_t t = 0; t < terms.size(); ++t)
            if (terms[t].feature == feature) return static_cast<int>(t);
        return -1;
    }
    // Twice the penalty of its coefficients.
    double penalty(double lambda, double linear_lambda) const {
        double squares = 0;
        for (const LinearTerm& term : terms) squares += term.slope * term.slope;
        return lambda * intercept * intercept + linear_lambda * squares;
    }
};

// The functions, besides 1 and the split column, whose coefficients children may change. Each is
// scaled to at most 1 in magnitude by a power of two that depends only on the model.
struct Basis {
    LinearFit fit = LinearFit::additive;
    std::vector<double> scales{}; // per function

    static Basis of(LinearFit fit, const LinearModel& model, const BinValues& values);

    int n() const { return static_cast<int>(scales.size()); }
};

// Maximum number of functions of a basis.
constexpr int kMostBasis = 8;

// The planes of moments: gradient; hessian and count; then, for functions a and b of the basis, the
// sums of g a, of h a and of h a b.
static constexpr int n_moment_planes(int n_basis) {
    return 2 + 2 * n_basis + n_basis * (n_basis + 1) / 2;
}
static inline int plane_of_gradient(int a) {
    return 2 + a;
}
static inline int plane_of_hessian(int n_basis, int a) {
    return 2 + n_basis + a;
}
// b <= a.
static inline int plane_of_product(int n_basis, int a, int b) {
    return 2 + 2 * n_basis + a * (a + 1) / 2 + b;
}

} // namespace ceiba
