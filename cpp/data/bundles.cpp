#include "data/bundles.hpp"

#include "base/pages.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace ceiba {
namespace {

constexpr int kMostCodes = 256;
constexpr std::int64_t kWordRows = 64;

using RowBits = PagedVector<std::uint64_t>; // a bit for each row

// The rows in which a column does not hold its usual code.
void find_unusual(const std::uint8_t* codes, std::int64_t n_rows, std::uint8_t usual,
                  RowBits& bits) {
    bits.assign(static_cast<std::size_t>((n_rows + kWordRows - 1) / kWordRows), 0);
    for (std::int64_t row = 0; row < n_rows; row += kWordRows) {
        const std::int64_t n = std::min(kWordRows, n_rows - row);
        std::uint64_t word = 0;
        for (std::int64_t i = 0; i < n; ++i)
            word |= static_cast<std::uint64_t>(codes[row + i] != usual) << i;
        bits[static_cast<std::size_t>(row / kWordRows)] = word;
    }
}

bool overlap(const RowBits& a, const RowBits& b) {
    for (std::size_t i = 0; i < a.size(); ++i)
        if ((a[i] & b[i]) != 0) return true;
    return false;
}

// A column of codes in the making.
struct OpenColumn {
    RowBits taken; // rows in which a member holds an unusual code; empty: not for sharing
    int n_codes = 0;
    std::vector<int> members;
};

// One or more columns as the digits of one.
struct DigitColumn {
    int n_codes = 1;
    std::vector<const OpenColumn*> digits;
};

// Columns of many codes first, each into the first byte that has room for it.
std::vector<DigitColumn> join_digits(const std::vector<OpenColumn>& columns, bool join) {
    std::vector<const OpenColumn*> by_codes;
    for (const OpenColumn& column : columns) by_codes.push_back(&column);
    if (join)
        std::stable_sort(by_codes.begin(), by_codes.end(),
                         [](auto* a, auto* b) { return a->n_codes > b->n_codes; });
    std::vector<DigitColumn> joined;
    for (const OpenColumn* column : by_codes) {
        auto home = joined.end();
        if (join)
            home = std::find_if(joined.begin(), joined.end(), [&](const DigitColumn& other) {
                return other.n_codes * column->n_codes <= kMostCodes;
            });
        if (home == joined.end()) home = joined.insert(home, DigitColumn{});
        home->n_codes *= column->n_codes;
        home->digits.push_back(column);
    }
    return joined;
}

FeatureGroup close_group(int first, int end, std::int64_t offset, const BinMapper& mapper,
                         const std::vector<int>& usual, const std::vector<OpenColumn>& columns,
                         bool digits) {
    const std::vector<DigitColumn> joined = join_digits(columns, digits);
    FeatureGroup group{first, end - first, offset, true, static_cast<int>(joined.size()), {}, {}};
    if (group.n_columns == group.width) return group;
    group.places.resize(static_cast<std::size_t>(group.width));
    for (int c = 0; c < group.n_columns; ++c) {
        const DigitColumn& column = joined[static_cast<std::size_t>(c)];
        group.codes_of_column.push_back(column.n_codes);
        int step = 1;
        for (const OpenColumn* digit : column.digits) {
            int next = 1;
            for (const int feature : digit->members) {
                FeaturePlace& place = group.places[static_cast<std::size_t>(feature - first)];
                place.column = c;
                place.step = step;
                place.n_codes = digit->n_codes;
                place.alone = column.digits.size() == 1 && digit->members.size() == 1;
                if (digit->members.size() == 1) continue;
                place.first = next;
                place.usual_code = usual[static_cast<std::size_t>(feature)];
                next += mapper.n_bins(feature) - 1;
            }
            step *= digit->n_codes;
        }
    }
    return group;
}

} // namespace

std::vector<int> may_share(const BinMapper& mapper,
                           const std::vector<std::vector<std::uint8_t>>& samples) {
    std::vector<int> usual(samples.size(), -1);
    int n_found = 0;
    for (std::size_t j = 0; j < samples.size(); ++j) {
        int counts[kMostCodes] = {};
        for (const std::uint8_t code : samples[j]) ++counts[code];
        const int n_codes = mapper.n_bins(static_cast<int>(j));
        const int top = static_cast<int>(std::max_element(counts, counts + n_codes) - counts);
        // Two columns that share must both be usual in half of the rows, or nearly: a sample errs.
        const bool seldom = 5 * counts[top] > 2 * static_cast<int>(samples[j].size());
        if (!seldom || n_codes > kMostCodes / 2) continue;
        usual[j] = top;
        ++n_found;
    }
    return n_found < 2 ? std::vector<int>{} : usual;
}

bool may_be_digits(const BinMapper& mapper) {
    int least = kMostCodes, next = kMostCodes;
    for (int j = 0; j < mapper.n_features(); ++j) {
        const int n_codes = mapper.n_bins(j);
        next = std::min(next, std::max(least, n_codes));
        least = std::min(least, n_codes);
    }
    return least * next <= kMostCodes;
}

std::vector<FeatureGroup> bundle_columns(const BinMapper& mapper, const std::vector<int>& usual,
                                         const std::uint8_t* by_column, std::int64_t n_rows,
                                         int widest_group, bool digits) {
    std::vector<FeatureGroup> groups;
    std::vector<OpenColumn> columns;
    RowBits unusual;
    int first = 0;
    std::int64_t offset = 0;
    auto close = [&](int end) {
        groups.push_back(close_group(first, end, offset, mapper, usual, columns, digits));
        offset += n_rows * groups.back().n_columns;
        first = end;
        columns.clear();
    };
    for (int j = 0; j < mapper.n_features(); ++j) {
        const int own_codes = mapper.n_bins(j),
                  usual_code = usual.empty() ? -1 : usual[static_cast<std::size_t>(j)];
        OpenColumn* home = nullptr;
        if (usual_code >= 0) {
            find_unusual(by_column + j * n_rows, n_rows, static_cast<std::uint8_t>(usual_code),
                         unusual);
            for (OpenColumn& column : columns) {
                if (column.taken.empty() || column.n_codes + own_codes - 1 > kMostCodes ||
                    overlap(column.taken, unusual))
                    continue;
                home = &column;
                break;
            }
        }
        if (home != nullptr) {
            for (std::size_t i = 0; i < unusual.size(); ++i) home->taken[i] |= unusual[i];
            home->n_codes += own_codes - 1;
            home->members.push_back(j);
            continue;
        }
        if (static_cast<int>(columns.size()) == widest_group) close(j);
        columns.push_back({usual_code >= 0 ? unusual : RowBits{}, own_codes, {j}});
    }
    close(mapper.n_features());
    return groups;
}

} // namespace ceiba
