// The codes of a feature, wherever a binned table stores them.
#pragma once

#include "data/coded/binned.hpp"

#include <cstdint>

namespace ceiba {

// The codes of rows [begin, begin + n).
void read_codes(const BinnedMatrix& matrix, int feature, std::int64_t begin, std::int64_t n,
                std::uint16_t* codes);

// The code that most rows have, if it decides how the feature is stored; otherwise -1.
int usual_code(const BinnedMatrix& matrix, int feature);

} // namespace ceiba
