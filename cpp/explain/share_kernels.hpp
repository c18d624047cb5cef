// The inner loops of explanations.
//
//   compare   a split on all rows of a block: which go left
//   shares    what each player of a leaf gets of a unit, by quadrature (quadrature.hpp)
//   pairs     what each two of them get together
#pragma once

#include <cstdint>

namespace ceiba {

struct Quadrature;

// The conditions of a leaf for one row. Scratch has 3 * kPointsAtOnce numbers for each player.
struct LeafTerms {
    int n_players;
    const double* shares;      // of absent players
    const std::uint8_t* holds; // 1 where the condition of a player holds for the row
    const double *points, *rests, *weights;
    int n_groups; // of points
    double* scratch;
};

struct ShareKernels {
    void (*compare)(const std::int8_t* plane, std::int8_t code, int n_rows, std::int8_t* sides);
    void (*shares)(const LeafTerms&, double* units);
    // units[k] for the k-th pair (0, 1), (0, 2), ..., (1, 2), ...
    void (*pairs)(const LeafTerms&, double* units);
};

const ShareKernels& share_kernels(); // the best that this machine has, unless switched off

namespace baseline {
extern const ShareKernels kShareKernels;
}
namespace avx2 {
extern const ShareKernels kShareKernels;
}

} // namespace ceiba
