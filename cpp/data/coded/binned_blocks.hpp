// A binned table that is filled block by block.
//
// The life of a table in blocks:
//   1. It is made for a number of rows. usual[j]: the code that most rows of column j have, or -1.
//      It decides how the column is stored, and changes no code.
//   2. add() encodes the next rows, or put() takes the codes of the next rows of one column.
//   3. finish() returns the table. Its codes are those of BinnedMatrix::build on the whole table.
#pragma once

#include "data/coded/binned.hpp"
#include "data/coded/unusual.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace ceiba {

class BinnedBlocks {
  public:
    BinnedBlocks(std::shared_ptr<const BinMapper> mapper, std::int64_t n_rows,
                 std::vector<int> usual, bool lists);
    BinnedBlocks(const BinnedBlocks&) = delete;
    BinnedBlocks& operator=(const BinnedBlocks&) = delete;

    void add(const std::vector<Column>& block, int n_threads);
    // Codes of the next rows of a column. Throws if a code is not one of the column.
    void put(int feature, const std::uint16_t* codes, std::int64_t n);
    std::shared_ptr<const BinnedMatrix> finish(int n_threads);

  private:
    struct Feature {
        std::int64_t n_rows = 0;    // so far
        Buffer<std::uint8_t> codes; // of every row, 8 or 16 bits
        Unusual unusual;            // of a column with a usual code
        bool new_missing = false;   // see BinnedMatrix::has_new_missing
    };

    bool narrow(int feature) const { return mapper_->missing_code(feature) < 256; }
    // Columns with one bin take no memory.
    bool is_stored(int feature) const { return !lists_ || mapper_->n_bins(feature) >= 2; }
    template <class Number>
    void take(int feature, const Number* codes, std::int64_t n);

    std::shared_ptr<const BinMapper> mapper_;
    std::int64_t n_rows_;
    std::vector<int> usual_;
    bool lists_;
    std::vector<Feature> features_;
};

} // namespace ceiba
