// The inner loops of explanations.
//
//   compare     which rows of a block go left at a split
//   meet        the conditions of a leaf group, as a word for each row
//   look_up     adds the table entry for the word of each row
//   tabulate    shares and pairs for every word of conditions
//   add_leaves  shares of the leaves of a leaf group, times their values
//   shares      contribution of each player of a leaf, by quadrature (quadrature.hpp)
//   pairs       joint contribution of each two of them
#pragma once

#include "explain/conditions.hpp"

#include <cstdint>

namespace ceiba {

// The conditions of a leaf for one row. Scratch has 3 * kPointsAtOnce numbers for each player.
struct LeafTerms {
    int n_players;
    const double* shares;      // of absent players
    const std::uint8_t* holds; // 1 if the condition of a player holds for the row
    const double *points, *rests, *weights;
    int n_groups; // of points
    double* scratch;
};

struct ShareKernels {
    void (*compare)(const std::int8_t* plane, std::int8_t code, int n_rows, std::int8_t* sides);
    // words[row]: bit k is set if condition k holds, for up to sixteen. Sides of a split are
    // `stride` apart. n_rows of compare and meet is a multiple of 32.
    void (*meet)(const Condition* conditions, int n_conditions, const PathEdge* edges,
                 const std::int8_t* sides, std::int64_t stride, int n_rows, std::uint16_t* words);
    void (*look_up)(const double* table, const std::uint16_t* words, int n_rows, double* sums);
    void (*shares)(const LeafTerms&, double* units);
    // units[player << n_players | word]: shares of every word, for at most kMostConditions players.
    // Scratch has 8 << n_players numbers; `holds` is not read.
    void (*tabulate)(const LeafTerms&, double* units);
    // units[pair << n_players | word], with scratch of 16 << n_players numbers.
    void (*tabulate_pairs)(const LeafTerms&, double* units);
    // out[index of a player] += its shares of the leaves for one word. Leaves have up to eight
    // players, values are those of the nodes of the tree, points those of few_points().
    void (*add_leaves)(const LeafPath* leaves, int n_leaves, const LeafPlayer* players,
                       const double* values, std::uint16_t word, const double* points, double* out);
    // units[k] for the k-th pair (0, 1), (0, 2), ..., (1, 2), ...
    void (*pairs)(const LeafTerms&, double* units);
};

const ShareKernels& share_kernels(); // the fastest for this processor, unless AVX2 is off

namespace baseline {
extern const ShareKernels kShareKernels;
}
namespace avx2 {
extern const ShareKernels kShareKernels;
}

} // namespace ceiba
