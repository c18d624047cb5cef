// The level of a categorical column that a value stands for.
//
// Levels are numbered from 0 on. What is no such number (negative, or not whole) is in no set, as a
// level that no set names. A missing value has no level: it goes where missing_left says.
#pragma once

#include <cstdint>

namespace ceiba {

// Above every level that a set may hold (model/check_forest.cpp).
constexpr std::int32_t kNoLevel = std::int32_t{1} << 30;

// The level, or kNoLevel.
inline std::int32_t level_of(double x) {
    const bool in_range = x >= 0.0 && x < static_cast<double>(kNoLevel);
    const std::int32_t level = in_range ? static_cast<std::int32_t>(x) : kNoLevel;
    return static_cast<double>(level) == x ? level : kNoLevel;
}

} // namespace ceiba
