#include "leaf/log_link.hpp"

#include "base/math.hpp"

#include <cmath>

namespace ceiba {

double log_link_minimum(double step, double power) {
    const double rise = (2.0 - power) * step, fall = (1.0 - power) * step;
    return rise > -1.0 && fall > -1.0 ? math::log1p(rise) - math::log1p(fall) : step;
}

void shorten_log_link_leaves(std::span<double> values, double power, double tree_weight) {
    if (tree_weight == 0.0) return;
    for (double& value : values) {
        const double minimum = log_link_minimum(value / tree_weight, power);
        value = std::fabs(minimum) < std::fabs(value) ? minimum : value;
    }
}

} // namespace ceiba
