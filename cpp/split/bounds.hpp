// Bounds on the constant of a node, which keep a tree monotone in a column.
//
// A tree rises with a column if, at every split of that column, no leaf below the left child is
// above any leaf below the right one: two rows that differ in this column alone part at such a
// split, or never. So each such split draws a line between its children: the left subtree stays at
// or below it, the right one at or above, and every node below inherits its parent's bounds.
//
//                 [lower, upper]
//                 x <= threshold          values of the children within the bounds: l <= r
//               /                \        line = (l + r) / 2
//       [lower, line]       [line, upper]
//
// Bounds hold whatever the leaves are fitted with, since leaves are clipped to them: rounding,
// other sums, and a learning rate keep the order. They are values before the learning rate.
//
// A split that symmetric growth shares may run against the direction in some of its nodes. There
// the line is the node's own value: both children meet in it, and the split changes nothing.
//
// Missing values have no place in the order. A split that the values of a node cannot tell apart
// (all go the same way, because of a split above) draws no line.
#pragma once

#include <limits>
#include <span>

namespace ceiba {

struct Bounds {
    double lower = -std::numeric_limits<double>::infinity(),
           upper = std::numeric_limits<double>::infinity();
};

// Comparisons that compilers can turn into vector code.
static inline double clip(double value, const Bounds& bounds) {
    value = value > bounds.upper ? bounds.upper : value;
    return value < bounds.lower ? bounds.lower : value;
}

struct ChildBounds {
    Bounds left, right;
};

// The bounds of the children of a node whose split runs in `direction`. `value` is that of the
// node, all three are within its bounds.
ChildBounds child_bounds(const Bounds& bounds, int direction, double value, double left,
                         double right);

} // namespace ceiba
