// Feature bundling: features that share one column of codes.
//
// In a one-hot table almost every cell of a column holds the same value, and if one column holds
// another value its siblings do not. Columns that never leave their usual code in the same row can
// share a byte: code 0 means that all are usual, every other code stands for one column and its
// code.
//
//   column a (usual 0)   0 1 0 0 2          shared   0 1 3 0 2        a: 1, 2   b: 3
//   column b (usual 0)   0 0 1 0 0
//
// Columns with few codes, bundled or not, can be the digits of one byte of a row:
//
//   column a (3 codes)   0 1 2 1 0          shared   0 4 2 1 3        a + 3 b
//   column b (2 codes)   0 1 0 0 1
//
// Histograms of a shared column contain those of its members: the sums of a digit are sums over the
// other digits, and the sums of a member's usual code are the total minus the rest. So bundles save
// time and memory and change no sum; any choice of bundles gives the same model.
//
// The life of a bundling:
//   1. may_share() samples a few rows and returns which columns rarely leave their usual code.
//   2. Bundler::add() takes these columns in order and puts each into the first open bundle that it
//      overlaps in no row; if none has room, it opens a new one. Members may be far apart in the
//      table.
//   3. If many bundles stay nearly empty, they become lists (sparse_codes.hpp) instead of bytes.
//   4. group_columns() puts columns of codes side by side; in a full group those with few codes
//      become digits.
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
    // A digit is stored as a multiple of `step` and has `n_codes` values.
    int step = 1, n_codes = 0;
    int usual_code = -1; // -1: the digit belongs to one feature and holds its codes
    int first = 0;       // otherwise the digit's code for the feature's lowest unusual code
    bool shares_digit() const { return usual_code >= 0; }
    bool same_digit(const FeaturePlace& other) const {
        return column == other.column && step == other.step && n_codes == other.n_codes;
    }
};

struct FeatureGroup {
    std::vector<int> features;        // ascending
    std::int64_t offset = 0;          // where the group's codes begin, in bytes
    bool narrow = true;               // codes are bytes; otherwise 16 bits
    int n_columns = 0;                // of codes; fewer than features if some share one
    std::vector<FeaturePlace> places; // per feature; empty if none share
    std::vector<int> codes_of_column; // number of codes per column; empty likewise
    // For each stored column of the group its column here and its step; empty likewise.
    struct Part {
        int stored, column, step;
    };
    std::vector<Part> parts;

    int width() const { return static_cast<int>(features.size()); }
};

// The part of one feature in a column of codes.
struct BundleMember {
    int feature = 0;
    int usual_code = -1; // -1: the column belongs to one feature
    int first = 0;       // the code of its lowest unusual code
    int n_codes = 0;

    // The column's code for a code of the feature, and back.
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

// A column of codes, of one feature or shared by several.
struct StoredColumn {
    std::vector<BundleMember> members;
    int n_codes = 1;
    bool narrow = true;
    std::int64_t n_taken = 0;   // rows with an unusual member
    Buffer<std::uint8_t> codes; // of an unfinished bundle; others are written in place
};

// The usual code of each feature, or -1 if it has other codes too often to share. `samples[j]`:
// codes of some rows.
std::vector<int> may_share(const BinMapper& mapper,
                           const std::vector<std::vector<std::uint8_t>>& samples);

// Whether two columns have so few codes that they can be digits of one byte.
bool may_be_digits(const BinMapper& mapper);

class Bundler {
  public:
    static constexpr int kMostCodes = 256;

    // `lists`: columns may become lists.
    Bundler(std::int64_t n_rows, bool lists) : n_rows_(n_rows), may_list_(lists) {}

    // Add a column whose rows have the usual code except for these entries. n_codes includes the
    // usual one.
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

// Divide columns of codes into groups of at most `widest`.
std::vector<FeatureGroup> group_columns(std::span<const StoredColumn> columns, std::int64_t n_rows,
                                        int widest, bool digits);

} // namespace ceiba
