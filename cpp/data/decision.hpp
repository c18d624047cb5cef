// Decision: how a node routes a row of codes. The only definition of "goes left" for codes.
// Predictors do not use it: they read raw values (model/walker.cpp, model/encode.cpp).
//
// In a coded table a value is the number of its bin, or (exact splits) its rank among the distinct
// values of its column. A decision refers to the codes of one column in the coding of the table to
// which it is applied:
//
//   in order   codes up to `last` go left                      | 0 .. last | last + 1 .. |
//   by set     codes in the set go left (categories)           | in the set | all others |
//
// A missing value has its own code and follows missing_left in both.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace ceiba {

using Code = std::uint32_t;

// Whether a number is in a bit set. Numbers beyond the last word are not.
inline bool is_in(std::span<const std::uint64_t> words, std::uint64_t number) {
    return number / 64 < words.size() && (words[number / 64] >> (number % 64) & 1) != 0;
}

// A set of codes.
class CodeSet {
  public:
    CodeSet() = default;
    explicit CodeSet(std::vector<std::uint64_t> words) : words_(std::move(words)) {}

    void add(Code code) {
        if (words_.size() <= code / 64) words_.resize(code / 64 + 1, 0);
        words_[code / 64] |= std::uint64_t{1} << (code % 64);
    }
    bool has(Code code) const { return is_in(words_, code); }
    std::span<const std::uint64_t> words() const { return words_; }

  private:
    std::vector<std::uint64_t> words_;
};

struct Decision {
    int feature = -1; // -1: none
    Code last = 0;    // in order: the last code that goes left
    bool missing_left = false;
    std::shared_ptr<const CodeSet> set; // null: in order

    bool exists() const { return feature >= 0; }
    bool goes_left(Code code, Code missing) const {
        if (code == missing) return missing_left;
        return set ? set->has(code) : code <= last;
    }
};

} // namespace ceiba
