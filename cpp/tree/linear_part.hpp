// The linear part of a leaf: the only code that computes it.
//
// Scores of training rows, predictions and explanations call these functions, and so have the same bits.
#pragma once

#include "tree/tree_arrays.hpp"

#include <cstdint>
#include <limits>

namespace ceiba {

// Where a regressor is, and how far it may go.
struct LinearLeafTerm {
    double low, high, mean;
    std::int32_t feature;

    // How far x is from the mean. What is missing, or infinite where lines extrapolate, is at it.
    double offset(double x) const {
        const double at_least = x < low ? low : x;
        const double within = at_least > high ? high : at_least;
        const double away = within - mean;
        return away - away == 0 ? away : 0.0;
    }
};

// A term of a forest. Lines that extrapolate have no bounds.
inline LinearLeafTerm linear_term(const TreeArrays& arrays, std::int64_t term) {
    constexpr double kNone = std::numeric_limits<double>::infinity();
    return {arrays.extrapolates ? -kNone : arrays.linear_low[term],
            arrays.extrapolates ? kNone : arrays.linear_high[term], arrays.linear_mean[term],
            arrays.linear_feature[term]};
}

// What the leaf adds to one output, its value and its line, or its line alone; value_of(feature) is the row's value of a column.
template <class ValueOf>
double add_linear_part(const TreeArrays& arrays, std::int64_t node, std::int64_t output,
                       bool with_value, ValueOf value_of) {
    const std::int64_t width = arrays.leaf_width;
    double sum = with_value ? arrays.value[node * width + output] : 0.0;
    for (std::int64_t t = arrays.linear_offsets[node]; t < arrays.linear_offsets[node + 1]; ++t) {
        const LinearLeafTerm term = linear_term(arrays, t);
        sum += arrays.linear_slope[t * width + output] * term.offset(value_of(term.feature));
    }
    return sum;
}

} // namespace ceiba
