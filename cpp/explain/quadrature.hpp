// Gauss-Legendre quadrature on [0, 1].
//
// A Shapley value of a product is an integral of a polynomial:
//
//   sum over S of |S|! (d-1-|S|)! / d! * prod_{j in S} o_j * prod_{j not in S} r_j
//     =  integral over t of  prod_j (o_j t + r_j (1 - t))
//
// Its degree is d - 1, so (d + 1) / 2 points are exact. Every term of the sum is at least 0, so
// nothing cancels, however deep the tree.
#pragma once

#include <cstdint>
#include <vector>

namespace ceiba {

constexpr int kPointsAtOnce = 4;

struct Quadrature {
    // Padded to whole groups of kPointsAtOnce with weights of 0.
    std::vector<double> points, rests, weights; // rest: 1 - point

    int n_groups() const { return static_cast<int>(points.size()) / kPointsAtOnce; }
};

// For products of n players, distributed to one or two of them. Cached after the first call.
const Quadrature& quadrature_for(std::int64_t n_players);

// For 0 to 8 players in sequence: kPointsAtOnce points, rests and weights each.
const double* few_points();

} // namespace ceiba
