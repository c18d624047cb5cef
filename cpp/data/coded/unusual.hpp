// Rows of a feature that do not have its usual code.
#pragma once

#include "data/binning/bin_mapper.hpp"
#include "data/column.hpp"
#include "data/sparse/sparse_codes.hpp"

#include <cstdint>
#include <vector>

namespace ceiba {

struct Unusual {
    std::vector<std::int32_t> rows;
    std::vector<std::uint16_t> codes;
    bool missing = false; // one of them is missing

    // Add those of the codes of rows [first_row, first_row + n).
    void add(const std::uint8_t* found, std::int64_t n, std::uint8_t usual,
             std::uint8_t missing_code, std::int64_t first_row = 0);
    // Add those of a sparse column, from its entries.
    void add(const BinMapper& mapper, int feature, const Column& column, Code usual,
             std::int64_t first_row = 0);

    SparseEntries entries() const { return {rows.data(), codes.data(), std::ssize(rows)}; }
};

} // namespace ceiba
