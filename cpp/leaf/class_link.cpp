#include "leaf/class_link.hpp"

#include "base/math.hpp"

#include <cmath>

namespace ceiba {

void shorten_class_leaves(std::span<double> values, double tree_weight) {
    if (tree_weight == 0.0) return;
    for (double& value : values) {
        const double most = math::log1p(std::fabs(value / tree_weight));
        value = most < std::fabs(value) ? std::copysign(most, value) : value;
    }
}

} // namespace ceiba
