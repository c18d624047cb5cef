// Declarations of ranking_kernels.inc, once per instruction set.
#pragma once

#include <cstdint>

namespace ceiba {

// A pair's weight is divided by base + slope · (difference of the scores).
struct PairDamping {
    double base;
    double slope;
};

// For each entry b after entry a of a ranked query: the force that pushes a up and b down
// (negative: the other way), and its curvature.
#define CEIBA_RANKING_KERNELS(ARCH)                                                                \
    namespace ARCH {                                                                               \
    void pair_forces(const double* score, const double* relevance, const double* weight,           \
                     PairDamping damping, std::int64_t a, std::int64_t n, double* up,              \
                     double* curvature);                                                           \
    }

CEIBA_RANKING_KERNELS(baseline)
CEIBA_RANKING_KERNELS(avx2)

#undef CEIBA_RANKING_KERNELS

} // namespace ceiba
