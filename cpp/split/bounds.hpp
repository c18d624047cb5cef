// Bounds on the constant of a node, which keep a tree monotone in a column.
//
// A tree rises with a column if, at every split of that column, no leaf on the left is above any leaf
// on the right: two rows that differ in this column only take different sides at such a split, or end
// in the same leaf. So each such split puts a limit between its children, and every node below inherits
// its parent's bounds:
//
//                 [lower, upper]
//                 x <= threshold          constants of the children within the bounds: l <= r
//               /                \        line = (l + r) / 2
//       [lower, line]       [line, upper]
//
// Bounds hold for every leaf fit, since leaf values are clipped to them before the learning rate.
//
// A split that symmetric growth shares may violate the direction in some of its nodes. There the line is
// the node's own constant, so both children meet in it and the split changes nothing. Missing values have
// no place in the order. A split that sends all values of a node the same way sets no limit.
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
