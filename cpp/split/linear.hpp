// Split search by linear models: what a split gains if each child is fitted anew (gradient/linear_model.hpp).
//
// A column is scanned from its first bin to its last: the moments of all bins so far are those of the
// left child, what is left of the node's those of the right one. The column itself is the last
// function of the basis; what a bin stands for in it is known, so its moments follow from those of
// the bin, and no plane is needed for it. Systems are solved by elimination, in the order 1, basis,
// column. A function that is nothing but what came before it, as in a child where the column is
// constant, is left out; a child of few rows gets a constant.
//
// The gain is what the objective falls by, times two, penalties of all coefficients included:
//   fall(left) + fall(right) - penalty of the node's model,
// because both children start from the node's model and each bears its penalty.
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
// What must remain of a function when others are taken out of it, as a share of its square.
constexpr double kSmallestPivot = 1e-9;

// The units of moments that are products (planes from the third on).
struct MomentUnits {
    double gradient = 1, hessian = 1;
};

// What a system of a node has besides its moments, for 1, the basis and perhaps a column: penalties
// (a lower triangle), and what they ask of the coefficients that the node has already.
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

// What the coefficients of 1, the basis and the column change by in a child, and what it falls by.
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

// The best coefficients of a system: `matrix` is a lower triangle, `right_side` what it is to equal,
// with the sign turned. Functions that are nothing but others keep 0. Returns the fall.
double solve(std::vector<double> matrix, std::vector<double> right_side, std::vector<double>& out);

} // namespace ceiba
