// The bins of a histogram as planes of words.
//
// The bins of all columns are stored one after the other in a plane; a column, or a group of
// columns, is a contiguous range of it. The number of planes depends on the form of the statistics
// (gradient/packing.hpp). Pool, subtraction, merging and exchange work on planes without knowing
// their meaning.
//
//   plane 0  | column 0: bins, missing | column 1: bins | column 2 ...
//   plane 1  | column 0: bins, missing | column 1: bins | column 2 ...
#pragma once

#include <cstdint>

namespace ceiba {

// A range of bins. Word: std::uint64_t, or const of it.
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
