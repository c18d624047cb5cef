// Columns that share one column of codes.
//
// In a one-hot table almost every cell of a column holds the same value, and where one column holds
// another value its siblings do not. Columns that never leave their usual code in the same row can
// share a byte: code 0 says that all are usual, every other code names one column and its code.
//
//   column a (usual 0)   0 1 0 0 2          shared   0 1 3 0 2        a: 1, 2   b: 3
//   column b (usual 0)   0 0 1 0 0
//
// Columns of few codes, shared in that way or not, can be the digits of one byte of a row:
//
//   column a (3 codes)   0 1 2 1 0          shared   0 4 2 1 3        a + 3 b
//   column b (2 codes)   0 1 0 0 1
//
// Histograms of the shared column hold those of its members: a digit's sums are sums over the other
// digits, and the sums of a member's usual code are what is left of the whole. So bundles save time
// and memory and change no sum; which columns share is free to depend on anything.
//
// The life of a bundling:
//   1. may_share() looks at a few rows and says which columns leave their usual code seldom.
//   2. Bundler::add() takes these columns in order and puts each into the first open bundle where it
//      meets no other in any row; where none has room, it opens a new one. Whoever shares may be far
//      apart in the table.
//   3. Bundles that stay nearly empty are no bytes but lists (sparse_codes.hpp), if they are many.
//   4. group_columns() puts columns of codes side by side; in a full group those of few codes become
//      digits.
#pragma once

#include "base/buffer.hpp"
#include "data/binning/bin_mapper.hpp"
#include "data/sparse/sparse_codes.hpp"

#include <cstdint>
#include <list>
#include <span>
#include <vector>

namespace ceiba {

// Where the codes of a feature are in its group.
struct FeaturePlace {
    int column = 0; // of its group
    // A digit stands in its column as a multiple of `step`, and has `n_codes` of them.
    int step = 1, n_codes = 0;
    int usual_code = -1; // -1: the digit is its own, with its own codes
    int first = 0;       // else the digit's code for its lowest code that is not usual
    bool shares_digit() const { return usual_code >= 0; }
    bool same_digit(const FeaturePlace& other) const {
        return column == other.column && step == other.step && n_codes == other.n_codes;
    }
};

struct FeatureGroup {
    std::vector<int> features;        // ascending
    std::int64_t offset = 0;          // where the group's codes begin, in bytes
    bool narrow = true;               // codes are bytes, else 16 bits
    int n_columns = 0;                // of codes; fewer than features where some share
    std::vector<FeaturePlace> places; // of each feature; empty where none share
    std::vector<int> codes_of_column; // how many codes each column has; as empty
    // For each stored column of the group its column here and its step; as empty.
    struct Part {
        int stored, column, step;
    };
    std::vector<Part> parts;

    int width() const { return static_cast<int>(features.size()); }
};

// One feature's part of a column of codes.
struct BundleMember {
    int feature = 0;
    int usual_code = -1; // -1: the column is its own
    int first = 0;       // the code of its lowest code that is not usual
    int n_codes = 0;

    // What a code of the feature is in the column, and back.
    int part(int code) const {
        if (usual_code < 0) return code;
        return code == usual_code ? 0 : first + code - (code > usual_code ? 1 : 0);
    }
    int code_of(int part) const {
        if (usual_code < 0) return part;
        const int code = part - first;
        if (part < first || code >= n_codes - 1) return usual_code;
        return code + (code >= usual_code ? 1 : 0);
    }
};

// A column of codes: of one feature, or of several that share it.
struct StoredColumn {
    std::vector<BundleMember> members;
    int n_codes = 1;
    bool narrow = true;
    std::int64_t n_taken = 0;   // rows in which a member is unusual
    Buffer<std::uint8_t> codes; // of a bundle in the making; others are written in place
};

// For each feature its usual code, or -1 where it holds other codes too often to share.
// `samples[j]`: codes of some rows.
std::vector<int> may_share(const BinMapper& mapper,
                           const std::vector<std::vector<std::uint8_t>>& samples);

// Whether two columns have so few codes that they can be digits of one.
bool may_be_digits(const BinMapper& mapper);

class Bundler {
  public:
    static constexpr int kMostCodes = 256;

    // `lists`: columns may become lists.
    Bundler(std::int64_t n_rows, bool lists) : n_rows_(n_rows), may_list_(lists) {}

    // A column whose rows have the usual code but for these entries. n_codes: with the usual one.
    void add(int feature, int usual_code, int n_codes, const SparseEntries& entries);
    void finish();

    std::vector<StoredColumn>& columns() { return closed_; }
    SparseCodes& lists() { return lists_; }

  private:
    using Open = std::list<StoredColumn>;

    bool is_worth_a_byte(int n_codes, std::int64_t n_entries) const;
    Open::iterator find_room(int n_codes, const SparseEntries& entries);
    void close(Open::iterator bundle);
    void list_members(const StoredColumn& bundle);

    std::int64_t n_rows_;
    bool may_list_, lists_begun_ = false;
    Open open_;
    std::vector<StoredColumn> closed_, thin_;
    SparseCodes lists_;
};

// Groups of at most `widest` columns of codes.
std::vector<FeatureGroup> group_columns(std::span<const StoredColumn> columns, std::int64_t n_rows,
                                        int widest, bool digits);

} // namespace ceiba
