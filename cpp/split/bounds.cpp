#include "split/bounds.hpp"

namespace ceiba {

ChildBounds child_bounds(const Bounds& bounds, int direction, double value, double left,
                         double right) {
    ChildBounds children{bounds, bounds};
    if (direction == 0) return children;
    const bool in_order = direction > 0 ? left <= right : left >= right;
    const double line = in_order ? 0.5 * left + 0.5 * right : value;
    if (direction > 0)
        children.left.upper = children.right.lower = line;
    else
        children.left.lower = children.right.upper = line;
    return children;
}

} // namespace ceiba
