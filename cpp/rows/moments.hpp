// Histograms of moments: many planes, whose words are contiguous while rows are summed.
//
// A row packed by the model of its node (rows/linear_words.hpp) has an entry, in the order of the
// node's rows. A bin in scratch has the same layout, so that a few vector additions update all
// planes. A pass sums as few columns as fit into the L1 cache with their bins. From scratch, words
// move to the planes of the node's histogram.
//
//   entries   | gradient | hessian, count | g a | h a | h a a | - | - | - |   next row ...
//
// Padding words of the last vector are summed but never read.
#pragma once

#include "gradient/linear_model.hpp"
#include "rows/histogram.hpp"

#include <cstdint>

namespace ceiba {

// Words of an entry with n planes: a pair, or whole vectors of four.
static constexpr int n_entry_words(int n_planes) {
    return n_planes == 2 ? 2 : (n_planes + 3) / 4 * 4;
}

#define CEIBA_DECLARE_MOMENT_KERNELS(arch)                                                         \
    namespace arch {                                                                               \
    void add_moments(const GroupView& group, const RowRange& rows, int n_basis,                    \
                     const std::uint64_t* entries, std::uint64_t* scratch);                        \
    void move_moments(const GroupView& group, int n_basis, std::uint64_t* scratch,                 \
                      const Planes& to);                                                           \
    }
CEIBA_DECLARE_MOMENT_KERNELS(baseline)
CEIBA_DECLARE_MOMENT_KERNELS(avx2)
#undef CEIBA_DECLARE_MOMENT_KERNELS

struct MomentKernels {
    // entries: of the first of these rows, then of the others.
    decltype(&baseline::add_moments) add;
    decltype(&baseline::move_moments) move;
};

const MomentKernels& moment_kernels();

} // namespace ceiba
