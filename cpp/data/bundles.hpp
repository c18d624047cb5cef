// Columns that share one column of codes.
//
// In a one-hot table almost every cell of a column holds the same value, and where one column holds
// another value its siblings do not. Columns that never leave their usual code in the same row can
// share a byte: code 0 says that all are usual, every other code names one column and its code.
//
//   column a (usual 0)   0 1 0 0 2          shared   0 1 3 0 2        a: 1, 2   b: 3
//   column b (usual 0)   0 0 1 0 0
//
// Columns of few codes, shared in that way or not, can be the digits of one byte:
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
//   2. bundle_columns() goes through the features in order, puts each into the first column of its
//      group where it fits, and opens a new column, or a new group, where none does. In a full group
//      the columns of few codes become digits.
#pragma once

#include "data/bin_mapper.hpp"

#include <cstdint>
#include <vector>

namespace ceiba {

// Where the codes of a feature are.
struct FeaturePlace {
    int column = 0; // of its group
    // A digit stands in its column as a multiple of `step`, and has `n_codes` of them.
    int step = 1, n_codes = 0;
    int usual_code = -1; // -1: the digit is its own, with its own codes
    int first = 0;       // else the digit's code for its lowest code that is not usual
    bool alone = true;   // in its column
    bool shares_digit() const { return usual_code >= 0; }
    bool same_digit(const FeaturePlace& other) const {
        return column == other.column && step == other.step && n_codes == other.n_codes;
    }
    // What a code of the feature adds to the code of its column.
    int part(int code) const {
        if (!shares_digit()) return step * code;
        return code == usual_code ? 0 : step * (first + code - (code > usual_code ? 1 : 0));
    }
};

struct FeatureGroup {
    int first = 0;                    // the first feature
    int width = 0;                    // how many
    std::int64_t offset = 0;          // where the group's codes begin, in bytes
    bool narrow = true;               // codes are bytes, else 16 bits
    int n_columns = 0;                // of codes; fewer than features where some share
    std::vector<FeaturePlace> places; // of each feature; empty where none share
    std::vector<int> codes_of_column; // how many codes each column has; as empty
};

// For each feature its usual code, or -1 where it holds other codes too often to share.
// `samples[j]`: codes of some rows.
std::vector<int> may_share(const BinMapper& mapper,
                           const std::vector<std::vector<std::uint8_t>>& samples);

// Whether two columns have so few codes that they can be digits of one.
bool may_be_digits(const BinMapper& mapper);

// `usual`: what may_share() found; empty if no column may share in that way. `by_column`: the codes
// of all features, one after the other.
std::vector<FeatureGroup> bundle_columns(const BinMapper& mapper, const std::vector<int>& usual,
                                         const std::uint8_t* by_column, std::int64_t n_rows,
                                         int widest_group, bool digits);

} // namespace ceiba
