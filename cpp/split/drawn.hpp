// Extra trees: of the candidates of a column one is drawn, and only that one is tried.
//
// A node draws a threshold among all bins of a column, whether or not its rows have values on both
// sides; where they do not, the column has no split there. Missing rows are tried on both sides of it.
// Of a category one level is drawn, or the number of levels of a set, which is taken from either end
// of the order of levels (split/category.hpp). The random number is a hash of (seed, round, tree, node,
// column); nodes of a level of a symmetric tree share it.
#pragma once

#include "split/scan.hpp"

#include <span>

namespace ceiba {

// The last bin that goes left, or -1 where the column has no candidates.
int drawn_bin(const ColumnScan& scan);
int drawn_bin(int n_values, bool has_missing, std::uint64_t lot);

// Replaces `best` where the drawn candidate of a column of numbers has a larger gain.
void scan_drawn(const ColumnScan& scan, Split& best);
// The same from the sums of the rows up to the bin that was drawn, and of the missing ones.
void take_drawn(const ColumnScan& scan, int last, const Sums& left, const Sums& missing,
                Split& best);

// The same by the sum of the gains of the nodes of a level; `enough` tells which of them may be split.
Split drawn_of_level(std::span<const ColumnScan> nodes, std::span<const char> enough);

} // namespace ceiba
