// Conversion of a categorical value to its level.
//
// Levels are numbered from 0. A value that is no level number (negative or not an integer) is in no
// set, like an unknown level. A missing value has no level: it follows the default direction
// (missing_left).
#pragma once

#include <cstdint>

namespace ceiba {

// Above every level that a set may contain (model/check_forest.cpp).
constexpr std::int32_t kNoLevel = std::int32_t{1} << 30;

// The level, or kNoLevel.
inline std::int32_t level_of(double x) {
    const bool in_range = x >= 0.0 && x < static_cast<double>(kNoLevel);
    const std::int32_t level = in_range ? static_cast<std::int32_t>(x) : kNoLevel;
    return static_cast<double>(level) == x ? level : kNoLevel;
}

} // namespace ceiba
