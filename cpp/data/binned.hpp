// The table as the grower reads it: every value replaced by the number of its bin.
//
// The life of a binned matrix:
//   1. BinMapper::find looks at all values of every column and chooses edges.
//   2. BinnedMatrix::build(mapper, columns) writes the codes, tile by tile, once.
//   3. Nothing changes it any more; growers on any number of threads read it. (Only the one inside
//      a RecodedMatrix is written again, between two trees.)
//
// Codes are kept twice. Histograms read them row by row, in groups of columns so narrow that the
// histograms of a group stay in the first-level cache; the partition reads one column.
//
//   group 0 (width 3)     group 1 (width 2)      columns
//   r0: a b c             r0: d e                a: r0 r1 r2 ...
//   r1: a b c             r1: d e                b: r0 r1 r2 ...
//
// In a group, columns that are seldom unusual may share one column of codes (bundles.hpp).
//
// A column with edges e0 < e1 < ... has value bins 0..n_edges; x belongs to the first bin b with x
// <= e_b, the last bin takes the rest. A missing value has the code n_edges + 1, whether or not the
// column had one at fit.
#pragma once

#include "base/buffer.hpp"
#include "data/bin_mapper.hpp"
#include "data/bundles.hpp"
#include "data/column.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace ceiba {

class BinnedMatrix {
  public:
    static std::shared_ptr<const BinnedMatrix> build(std::shared_ptr<const BinMapper> mapper,
                                                     const std::vector<Column>& columns,
                                                     int n_threads);

    std::int64_t n_rows() const { return n_rows_; }
    int n_features() const { return n_features_; }
    // Codes are bytes, else 16 bits: of a column, of all of them.
    bool narrow(int feature) const { return narrow_[static_cast<std::size_t>(feature)] != 0; }
    bool narrow() const { return all_narrow_; }
    const BinMapper& mapper() const { return *mapper_; }
    // A missing value stands in a column whose mapper knows none: fine to predict for, but there is
    // no bin to train on.
    bool has_new_missing() const { return new_missing_; }
    const std::vector<FeatureGroup>& groups() const { return groups_; }

    template <class Code>
    const Code* rows_of(const FeatureGroup& group) const {
        return reinterpret_cast<const Code*>(by_row_.data() + group.offset);
    }
    template <class Code>
    const Code* column(int feature) const {
        return reinterpret_cast<const Code*>(by_column_.data() +
                                             offsets_[static_cast<std::size_t>(feature)]);
    }
    // Calls work(codes) with the codes of a column, whatever their type.
    template <class Work>
    auto with_column(int feature, Work&& work) const {
        return narrow(feature) ? work(column<std::uint8_t>(feature))
                               : work(column<std::uint16_t>(feature));
    }
    std::int64_t n_bytes() const {
        return static_cast<std::int64_t>(by_row_.size() + by_column_.size());
    }

  private:
    friend class RecodedMatrix;

    // Takes the shape of a table, and which of its columns are narrow; makes groups of columns.
    void shape(std::int64_t n_rows, std::vector<std::uint8_t> narrow);
    void make_column_room();
    void make_row_room();
    void write(const std::vector<Column>& columns, bool rows, int n_threads);
    void share_columns(const std::vector<int>& usual, bool digits, int n_threads);
    template <class Code>
    Code* column_to_write(int feature) {
        return const_cast<Code*>(column<Code>(feature));
    }
    // Writes all rows from the columns.
    void interleave_columns(int n_threads);

    std::shared_ptr<const BinMapper> mapper_;
    std::int64_t n_rows_ = 0;
    int n_features_ = 0;
    std::vector<std::uint8_t> narrow_;  // by column
    std::vector<std::int64_t> offsets_; // of each column in by_column_, in bytes
    bool all_narrow_ = true, new_missing_ = false;
    std::vector<FeatureGroup> groups_;
    Buffer<std::uint8_t> by_row_, by_column_;
};

} // namespace ceiba
