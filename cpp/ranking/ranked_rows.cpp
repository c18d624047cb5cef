#include "ranking/ranked_rows.hpp"

#include "base/errors.hpp"

#include <string>

namespace ceiba {

namespace {

[[noreturn]] void refuse(const std::string& what, double given, std::int64_t row) {
    throw InputError(what + " Got " + std::to_string(given) + " in row " + std::to_string(row) +
                     ".");
}

} // namespace

void check_ranked_rows(const char* metric, const double* target, const double* scores,
                       const double* weights, std::int64_t n) {
    const std::string name(metric);
    for (std::int64_t i = 0; i < n; ++i) {
        if (target[i] != 0.0 && target[i] != 1.0)
            refuse("The target of " + name + " must be 0 or 1.", target[i], i);
        if (std::isnan(scores[i]))
            refuse("The scores of " + name + " must not be NaN.", scores[i], i);
        if (weights != nullptr && !(weights[i] >= 0.0 && std::isfinite(weights[i])))
            refuse("The weights of " + name + " must be finite and not negative.", weights[i], i);
    }
}

double weight_scale(const double* weights, std::int64_t n) {
    // n · largest weight · scale < 2^62.
    const double largest = n == 0 ? 0.0 : *std::max_element(weights, weights + n);
    int weight_exponent = 0;
    std::frexp(largest, &weight_exponent);
    const int row_bits = std::bit_width(static_cast<std::uint64_t>(n));
    return std::ldexp(1.0, std::min(62 - row_bits - weight_exponent, 1023));
}

} // namespace ceiba
