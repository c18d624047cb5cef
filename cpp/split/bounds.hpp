// Bounds on the constant of a node, which keep a tree monotone in a column.
//
// A tree rises with a column if, at every split of that column, no leaf on the left is above any leaf
// on the right. (Two rows that differ only in this column either part at such a split or end in the
// same leaf.) So each such split puts a line between its children, and every node inherits the bounds
// of its parent:
//
//                 [lower, upper]
//                 x <= threshold          constants of the children within the bounds: l <= r
//               /                \        line = (l + r) / 2
//       [lower, line]       [line, upper]
//
// Every leaf rule keeps the bounds: leaf values are clipped before the learning rate multiplies them.
//
// A split that symmetric growth shares may violate the direction in some of its nodes. There the line is
// the node's own constant: both children are clipped to it, so the split changes nothing. Missing values
// have no place in the order. A split that sends all present values of a node the same way (such as
// missing against present) sets no line.
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

// The bounds of the children of a node. `direction` is that of the split column: 1 rises, -1 falls, 0
// sets no line. `value`, `left` and `right` are the constants of the node and its children, all within
// `bounds`.
ChildBounds child_bounds(const Bounds& bounds, int direction, double value, double left,
                         double right);

} // namespace ceiba
