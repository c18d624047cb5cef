#include "leaf/log_link.hpp"

#include "base/math.hpp"

#include <cmath>

namespace ceiba {

namespace {

// The minimum for a Newton step; the step itself where penalties and rounding leave no minimum.
double minimum_of(double step, double power) {
    const double rise = (2.0 - power) * step, fall = (1.0 - power) * step;
    return rise > -1.0 && fall > -1.0 ? math::log1p(rise) - math::log1p(fall) : step;
}

} // namespace

void shorten_log_link_leaves(std::span<double> values, double power, double tree_weight) {
    if (tree_weight == 0.0) return;
    for (double& value : values) {
        const double minimum = minimum_of(value / tree_weight, power);
        value = std::fabs(minimum) < std::fabs(value) ? minimum : value;
    }
}

} // namespace ceiba
