// The memory of a binned table, before it is made.
#pragma once

#include "data/binning/bin_mapper.hpp"
#include "data/column.hpp"

#include <cstdint>
#include <vector>

namespace ceiba {

// Bytes that BinnedMatrix::build needs for codes, without bundles and lists.
std::int64_t least_code_bytes(const BinMapper& mapper, const std::vector<Column>& columns,
                              bool lists);

} // namespace ceiba
