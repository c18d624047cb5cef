// Split search by linear models: the gain of a split whose children are refitted (gradient/linear_model.hpp).
//
// A scan of a column adds up the moments of its bins: those of the left child; the rest of the node's
// moments belongs to the right one. The column itself is the last function of the basis. Its value in
// each bin is known, so its moments need no planes. Elimination solves the systems in the order 1, basis,
// column. It drops a function that depends linearly on those before it, for example a column that is
// constant in a child. A child with few rows gets a constant.
//
// The gain is twice the decrease of the objective, penalties of all coefficients included:
//   fall(left) + fall(right) - penalty of the node's model,
// since both children start from the node's model and each pays its penalty.
#pragma once

#include "gradient/linear_model.hpp"
#include "gradient/packing.hpp"
#include "rows/planes.hpp"
#include "split/gain.hpp"
#include "split/scan.hpp"

#include <cstdint>
#include <vector>

namespace ceiba {

// Functions of a basis with 1 and the column of the split.
constexpr int kMostFunctions = kMostBasis + 2;
// Smallest remainder of a function after elimination of the others, relative to its square.
constexpr double kSmallestPivot = 1e-9;

// The units of moments that are products (planes from the third on).
struct MomentUnits {
    double gradient = 1, hessian = 1;
};

// Penalties of the coefficients of 1, the basis and perhaps a column: a lower triangle, and the
// gradient of the penalty at the node's present coefficients.
struct Penalties {
    double of[(kMostBasis + 2) * (kMostBasis + 3) / 2] = {};
    double pull[kMostBasis + 2] = {};

    static int at(int i, int j) { return i * (i + 1) / 2 + j; } // j <= i
};

// One column of one node.
struct LinearScan {
    ColumnScan column;                 // its bins: gradients, and hessians with counts
    PlanesOf<const std::uint64_t> all; // all planes of the same bins
    int n_basis = 0;
    const double* values = nullptr; // of the bins; none: the column is no regressor of the children
    MomentUnits units;
    Penalties penalties;
    double node_penalty = 0;

    int n_functions() const { return 1 + n_basis + (values != nullptr ? 1 : 0); }
};

// The smallest number of rows of a child that has more than a constant.
static inline double fewest_rows(int n_functions) {
    return 2.0 * n_functions;
}

#define CEIBA_DECLARE_LINEAR_KERNELS(arch)                                                         \
    namespace arch {                                                                               \
    void linear_gains(const LinearScan& scan, double* room, double* missing_right,                 \
                      double* missing_left);                                                       \
    }
CEIBA_DECLARE_LINEAR_KERNELS(baseline)
CEIBA_DECLARE_LINEAR_KERNELS(avx2)
#undef CEIBA_DECLARE_LINEAR_KERNELS

// The gain of every candidate; that of one whose child breaks a minimum is minus infinity. missing_left
// is filled where rows of the node are missing, and otherwise minus infinity.
void linear_gains(const LinearScan& scan, double* missing_right, double* missing_left);

// Replaces `best` where this column of numbers has a larger gain. Ties as in split/scan.hpp.
void scan_linear(const LinearScan& scan, Split& best);

// Changes of the coefficients of 1, the basis and the column in a child, and the decrease of twice the
// objective.
struct Change {
    std::vector<double> of;
    double fall = 0;
};
struct Changes {
    Change left, right;
};
Changes fit_children(const LinearScan& scan, const Decision& decision);

// Minus infinity where a child breaks a minimum.
double linear_gain_of(const LinearScan& scan, const Decision& decision);

// Solves matrix * out = -right_side; `matrix` is a lower triangle. Linearly dependent functions get 0.
// Returns the fall.
double solve(std::vector<double> matrix, std::vector<double> right_side, std::vector<double>& out);

} // namespace ceiba
