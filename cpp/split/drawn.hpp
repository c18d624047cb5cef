// Extra trees: each column has one random candidate, and only that one is scored.
//
// A node draws a threshold among all bins of a column. If all of its rows lie on one side, the column
// has no split there. Missing rows are tried on both sides. A one-hot category draws one level; a subset
// draws the number of levels, taken from either end of the level order (split/category.hpp). The random
// number is a hash of (seed, round, tree, node, column); the nodes of a symmetric level share it.
#pragma once

#include "split/scan.hpp"

#include <span>

namespace ceiba {

// The last bin that goes left, or -1 where the column has no candidates.
int drawn_bin(const ColumnScan& scan);
int drawn_bin(int n_values, bool has_missing, std::uint64_t lot);

// Replaces `best` if the drawn candidate of a numeric column has a larger gain.
void scan_drawn(const ColumnScan& scan, Split& best);
// The same, given the sums of the rows up to the drawn bin and of the missing rows.
void take_drawn(const ColumnScan& scan, int last, const Sums& left, const Sums& missing,
                Split& best);

// The same for a level, by the sum of the gains of its nodes. `enough`: which of them may be split.
Split drawn_of_level(std::span<const ColumnScan> nodes, std::span<const char> enough);

} // namespace ceiba
