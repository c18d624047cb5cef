// The bins of a histogram as planes of words.
//
// The bins of all columns lie one after the other in a plane; a column, or a group of columns, is a
// contiguous stretch of it. A histogram has as many planes as the form of its statistics says
// (gradient/packing.hpp). Pool, subtraction, merging and exchange know planes and nothing of what
// they mean.
//
//   plane 0  | column 0: bins, missing | column 1: bins | column 2 ...
//   plane 1  | column 0: bins, missing | column 1: bins | column 2 ...
#pragma once

#include <cstdint>

namespace ceiba {

// A stretch of bins. Word: std::uint64_t, or const of it.
template <class Word>
struct PlanesOf {
    Word* words = nullptr;
    std::int64_t stride = 0; // words from a plane to the next
    int n_planes = 1;
    std::int64_t n = 0; // bins

    Word* plane(int p) const { return words + p * stride; }
};
using Planes = PlanesOf<std::uint64_t>;

} // namespace ceiba
