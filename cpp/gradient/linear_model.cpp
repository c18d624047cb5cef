#include "gradient/linear_model.hpp"

#include <algorithm>
#include <cmath>

namespace ceiba {

Basis Basis::of(LinearFit fit, const LinearModel& model, const BinValues& values) {
    const auto above = [](double size) {
        int exponent = 0;
        std::frexp(size, &exponent);
        return size > 0 ? std::ldexp(1.0, exponent) : 1.0;
    };
    Basis basis{fit};
    double sum = 0;
    for (const LinearTerm& term : model.terms) {
        double largest = 0;
        for (const double value : values[static_cast<std::size_t>(term.feature)])
            largest = std::max(largest, std::fabs(value));
        sum += std::fabs(term.slope) * largest;
        if (fit == LinearFit::full) basis.scales.push_back(above(largest));
    }
    // A model without slopes has no sum to scale.
    if (fit == LinearFit::half_additive && sum > 0) basis.scales.push_back(above(sum));
    return basis;
}

} // namespace ceiba
