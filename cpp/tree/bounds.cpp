#include "tree/bounds.hpp"

#include "tree/grower.hpp"

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

bool tells_values_apart(std::span<const Node> nodes, int number) {
    const Split& own = nodes[static_cast<std::size_t>(number)].split;
    for (int child = number, above = nodes[static_cast<std::size_t>(child)].parent; above >= 0;
         child = above, above = nodes[static_cast<std::size_t>(above)].parent) {
        const Node& ancestor = nodes[static_cast<std::size_t>(above)];
        if (ancestor.split.feature != own.feature) continue;
        const bool from_left = ancestor.left == child;
        if (from_left ? ancestor.split.bin <= own.bin : ancestor.split.bin >= own.bin) return false;
    }
    return true;
}

} // namespace ceiba
