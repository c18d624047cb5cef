// The binned table: every value replaced by the number of its bin. Growers read it.
//
// The life of a binned matrix:
//   1. BinMapper::find reads all values of every column and chooses edges.
//   2. BinnedMatrix::build(mapper, columns) writes the codes once, tile by tile; BinnedBlocks
//      (binned_blocks.hpp) does so from blocks of rows.
//   3. It is immutable from then on; growers on any number of threads read it. (Only the one inside
//      a RecodedMatrix is rewritten between two trees.)
//
// Codes are stored twice. Histograms read them row by row, in groups of columns so narrow that the
// histograms of a group stay in the L1 cache; the partition reads one column.
//
//   group 0 (width 3)     group 1 (width 2)      columns
//   r0: a b c             r0: d e                a: r0 r1 r2 ...
//   r1: a b c             r1: d e                b: r0 r1 r2 ...
//
// Features that rarely leave their usual code may share one column of codes (bundles.hpp), or are
// stored as lists of their unusual rows (sparse_codes.hpp). A feature with one bin is not stored,
// since it cannot be split. The way of storage changes no sum.
//
// A column with edges e0 < e1 < ... has value bins 0..n_edges. x belongs to the first bin b with x
// <= e_b, the last bin takes the rest. A missing value has the code n_edges + 1, also in a column
// without missing values at fit.
#pragma once

#include "base/buffer.hpp"
#include "data/binning/bin_mapper.hpp"
#include "data/coded/bundles.hpp"
#include "data/column.hpp"

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace ceiba {

class BinnedMatrix {
  public:
    // `lists`: columns may become lists of their unusual rows. Exact splits need all columns as
    // codes.
    static std::shared_ptr<const BinnedMatrix> build(std::shared_ptr<const BinMapper> mapper,
                                                     const std::vector<Column>& columns,
                                                     int n_threads, bool lists = true);

    std::int64_t n_rows() const { return n_rows_; }
    int n_features() const { return n_features_; }
    const BinMapper& mapper() const { return *mapper_; }
    // Whether a value is missing in a column whose mapper has no missing bin. Valid for prediction,
    // but not for training.
    bool has_new_missing() const { return new_missing_; }
    const std::vector<FeatureGroup>& groups() const { return groups_; }
    const SparseCodes& lists() const { return lists_; }

    template <class Code>
    const Code* rows_of(const FeatureGroup& group) const {
        return reinterpret_cast<const Code*>(by_row_.data() + group.offset);
    }

    // Where the codes of a feature are: in its own stored column, in a shared one, in a list, or
    // nowhere.
    struct Home {
        int stored = -1, list = -1;
        BundleMember member;
    };
    const Home& home(int feature) const { return homes_[static_cast<std::size_t>(feature)]; }
    // Whether the codes of a stored column are bytes; otherwise they have 16 bits.
    bool narrow(int stored) const { return narrow_[static_cast<std::size_t>(stored)] != 0; }
    template <class Code>
    const Code* column(int stored) const {
        return reinterpret_cast<const Code*>(by_column_.data() +
                                             offsets_[static_cast<std::size_t>(stored)]);
    }
    // Call work(codes) with the codes of a feature's stored column, as pointer to their type.
    template <class Work>
    auto with_column(int feature, Work&& work) const {
        const int stored = home(feature).stored;
        return narrow(stored) ? work(column<std::uint8_t>(stored))
                              : work(column<std::uint16_t>(stored));
    }
    // The feature's code for each code of a shared column; empty if the column is its own.
    std::vector<Code> meanings(int feature) const;
    // The code of one row.
    Code code(int feature, std::int64_t row) const;
    std::int64_t n_bytes() const {
        return static_cast<std::int64_t>(by_row_.size() + by_column_.size()) + lists_.n_bytes();
    }

  private:
    friend class RecodedMatrix;
    friend class BinnedBlocks;

    // Set the shape of a table in which every feature has its own column, given which are narrow;
    // divides the columns into groups.
    void shape(std::int64_t n_rows, std::vector<std::uint8_t> narrow);
    void make_column_room();
    void make_row_room();
    void write(const std::vector<Column>& columns, std::span<const FeatureGroup> groups, bool rows,
               int n_threads);
    // Write the rows of all groups from the columns.
    void interleave_columns(int n_threads);
    template <class Code>
    Code* column_to_write(int stored) {
        return const_cast<Code*>(column<Code>(stored));
    }

    // Of a stored column; codes of 16 bits after bytes begin at an even offset.
    std::int64_t bytes_of_column(bool narrow) const {
        return (n_rows_ * (narrow ? 1 : 2) + 1) / 2 * 2;
    }
    // In assembly.cpp: tables with shared columns, lists, or features that are not stored.
    void assemble(const std::vector<Column>& columns, const std::vector<int>& usual, bool lists,
                  bool digits, int n_threads);
    void bundle_features(const std::vector<Column>& columns, const std::vector<int>& usual,
                         int n_threads, Bundler& bundler);
    void bundle_dense(const std::vector<Column>& columns, std::span<const int> features,
                      const std::vector<int>& usual, int n_threads, Bundler& bundler);
    void bundle_sparse(const std::vector<Column>& columns, std::span<const int> features,
                       const std::vector<int>& usual, int n_threads, Bundler& bundler);
    void add_found(int feature, const std::vector<int>& usual, bool missing,
                   const SparseEntries& entries, Bundler& bundler);
    void take_columns(std::vector<StoredColumn>& columns);
    void share_rows(int n_threads);
    void make_groups_of(std::vector<StoredColumn>& stored, bool digits, int n_threads);

    std::shared_ptr<const BinMapper> mapper_;
    std::int64_t n_rows_ = 0;
    int n_features_ = 0;
    std::vector<Home> homes_;           // per feature
    std::vector<std::uint8_t> narrow_;  // per stored column
    std::vector<std::int64_t> offsets_; // of each stored column in by_column_, in bytes, all even
    bool new_missing_ = false;
    std::vector<FeatureGroup> groups_;
    Buffer<std::uint8_t> by_row_, by_column_;
    SparseCodes lists_;
};

// Maximum number of columns of a group.
int widest_group(std::int64_t n_columns, std::int64_t n_rows);

} // namespace ceiba
