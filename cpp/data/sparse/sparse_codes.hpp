// Very sparse columns, stored as lists of the rows that do not have the usual code.
//
//   column      0         1       2          rows ascend; all others have the usual code
//   rows      | 3 17 90 | 5 17 | 0 1 2 ...
//   codes     | 1  4  2 | 1  1 | 3 1 3 ...
//
// Memory is proportional to the entries. A table of word counts (50,000 columns, each with 40 of
// 20,000 rows) needs 6 bytes per entry, and 500 if stored as columns of bytes.
#pragma once

#include "base/pages.hpp"
#include "data/decision.hpp"

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace ceiba {

struct SparseEntries {
    const std::int32_t* rows = nullptr;
    const std::uint16_t* codes = nullptr;
    std::int64_t n = 0;
};

class SparseCodes {
  public:
    using ListedCode = std::uint16_t;

    void reserve(std::int64_t n_entries) {
        rows_.reserve(static_cast<std::size_t>(n_entries));
        codes_.reserve(static_cast<std::size_t>(n_entries));
    }
    void add(int feature, int usual_code, const SparseEntries& entries) {
        lists_.push_back({feature, usual_code, std::ssize(rows_), entries.n});
        rows_.insert(rows_.end(), entries.rows, entries.rows + entries.n);
        codes_.insert(codes_.end(), entries.codes, entries.codes + entries.n);
    }
    // Sort the columns by feature.
    void finish() {
        std::sort(lists_.begin(), lists_.end(),
                  [](const List& a, const List& b) { return a.feature < b.feature; });
    }

    int n_columns() const { return static_cast<int>(lists_.size()); }
    int feature(int column) const { return list(column).feature; }
    Code usual_code(int column) const { return static_cast<Code>(list(column).usual_code); }
    SparseEntries entries(int column) const {
        const List& own = list(column);
        return {rows_.data() + own.begin, codes_.data() + own.begin, own.n};
    }
    std::int64_t n_entries() const { return std::ssize(rows_); }
    Code code(int column, std::int64_t row) const {
        const SparseEntries own = entries(column);
        const auto* at = std::lower_bound(own.rows, own.rows + own.n, row);
        return at != own.rows + own.n && *at == row ? Code{own.codes[at - own.rows]}
                                                    : usual_code(column);
    }
    std::int64_t n_bytes() const {
        return std::ssize(rows_) * std::int64_t{sizeof(std::int32_t) + sizeof(ListedCode)};
    }

  private:
    struct List {
        int feature, usual_code;
        std::int64_t begin, n;
    };
    const List& list(int column) const { return lists_[static_cast<std::size_t>(column)]; }

    std::vector<List> lists_;
    PagedVector<std::int32_t> rows_;
    PagedVector<ListedCode> codes_;
};

} // namespace ceiba
