#include "data/coded/bundles.hpp"

#include "base/settings.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace ceiba {
namespace {

constexpr int kMostCodes = Bundler::kMostCodes;
constexpr std::size_t kMostOpen = 64;      // bundles that a column may join
constexpr std::int64_t kRowsOfAnEntry = 8; // cost of a listed entry, in bytes of a column
constexpr std::int64_t kPadding = 64;

// Columns combined as the digits of one byte; or a single column.
struct DigitColumn {
    int n_codes = 1;
    std::vector<int> digits; // stored columns
};

// First-fit in descending order of the number of codes: each column into the first byte with room.
std::vector<DigitColumn> join_digits(std::span<const StoredColumn> columns, int first, int end,
                                     bool join) {
    std::vector<int> by_codes;
    for (int c = first; c < end; ++c) by_codes.push_back(c);
    const auto codes_of = [&](int c) { return columns[static_cast<std::size_t>(c)].n_codes; };
    if (join)
        std::stable_sort(by_codes.begin(), by_codes.end(),
                         [&](int a, int b) { return codes_of(a) > codes_of(b); });
    std::vector<DigitColumn> joined;
    for (const int column : by_codes) {
        auto home = joined.end();
        if (join)
            home = std::find_if(joined.begin(), joined.end(), [&](const DigitColumn& other) {
                return other.n_codes * codes_of(column) <= kMostCodes;
            });
        if (home == joined.end()) home = joined.insert(home, DigitColumn{});
        home->n_codes *= codes_of(column);
        home->digits.push_back(column);
    }
    return joined;
}

FeatureGroup make_group(std::span<const StoredColumn> columns, int first, int end,
                        std::int64_t offset, bool digits) {
    const bool narrow = columns[static_cast<std::size_t>(first)].narrow;
    const auto joined = join_digits(columns, first, end, digits && narrow);
    FeatureGroup group;
    group.offset = offset;
    group.narrow = narrow;
    group.n_columns = static_cast<int>(joined.size());
    std::vector<std::pair<int, FeaturePlace>> found;
    for (int c = 0; c < group.n_columns; ++c) {
        const DigitColumn& column = joined[static_cast<std::size_t>(c)];
        group.codes_of_column.push_back(column.n_codes);
        int step = 1;
        for (const int stored : column.digits) {
            const StoredColumn& digit = columns[static_cast<std::size_t>(stored)];
            for (const BundleMember& member : digit.members)
                found.push_back(
                    {member.feature, {c, step, digit.n_codes, member.usual_code, member.first}});
            group.parts.push_back({stored, c, step});
            step *= digit.n_codes;
        }
    }
    std::sort(found.begin(), found.end(), [](auto& a, auto& b) { return a.first < b.first; });
    for (auto& [feature, place] : found) {
        group.features.push_back(feature);
        group.places.push_back(place);
    }
    if (group.n_columns == group.width()) { // all columns separate and in order
        group.places.clear();
        group.parts.clear();
        group.codes_of_column.clear();
    }
    return group;
}

} // namespace

std::vector<int> may_share(const BinMapper& mapper,
                           const std::vector<std::vector<std::uint8_t>>& samples) {
    std::vector<int> usual(samples.size(), -1);
    int n_found = 0;
    for (std::size_t j = 0; j < samples.size(); ++j) {
        if (samples[j].empty()) continue;
        int counts[kMostCodes] = {};
        for (const std::uint8_t code : samples[j]) ++counts[code];
        const int n_codes = mapper.n_bins(static_cast<int>(j));
        const int top = static_cast<int>(std::max_element(counts, counts + n_codes) - counts);
        // Both of two sharing columns must have their usual code in about half of the rows. The
        // sample is inexact, so allow a margin.
        const bool seldom = 5 * counts[top] > 2 * static_cast<int>(samples[j].size());
        if (!seldom || n_codes > kMostCodes / 2) continue;
        usual[j] = top;
        ++n_found;
    }
    return n_found < 2 ? std::vector<int>(samples.size(), -1) : usual;
}

bool may_be_digits(const BinMapper& mapper) {
    int least = kMostCodes, next = kMostCodes;
    for (int j = 0; j < mapper.n_features(); ++j) {
        const int n_codes = mapper.n_bins(j);
        if (n_codes < 2) continue;
        next = std::min(next, std::max(least, n_codes));
        least = std::min(least, n_codes);
    }
    return least * next <= kMostCodes;
}

// Whether a byte of columns like this one would have enough entries.
bool Bundler::is_worth_a_byte(int n_codes, std::int64_t n_entries) const {
    return n_codes <= kMostCodes &&
           (kMostCodes - 1) * n_entries * kRowsOfAnEntry >= n_rows_ * (n_codes - 1);
}

Bundler::Open::iterator Bundler::find_room(int n_codes, const SparseEntries& entries) {
    for (auto bundle = open_.begin(); bundle != open_.end(); ++bundle) {
        if (bundle->n_codes + n_codes - 1 > kMostCodes || bundle->n_taken + entries.n > n_rows_)
            continue;
        const std::uint8_t* codes = bundle->codes.data();
        std::int64_t i = 0;
        while (i < entries.n && codes[entries.rows[i]] == 0) ++i;
        if (i == entries.n) return bundle;
    }
    if (open_.size() == kMostOpen)
        close(std::min_element(open_.begin(), open_.end(),
                               [](auto& a, auto& b) { return a.n_taken < b.n_taken; }));
    open_.emplace_back();
    StoredColumn& bundle = open_.back();
    bundle.codes.need(static_cast<std::size_t>(n_rows_ + kPadding));
    std::fill_n(bundle.codes.data(), n_rows_ + kPadding, std::uint8_t{0});
    return std::prev(open_.end());
}

void Bundler::add(int feature, int usual_code, int n_codes, const SparseEntries& entries) {
    const bool fits = n_codes <= kMostCodes;
    if (!fits || (lists_begun_ && !is_worth_a_byte(n_codes, entries.n)))
        return lists_.add(feature, usual_code, entries);
    const auto bundle = find_room(n_codes, entries);
    const BundleMember member{feature, usual_code, bundle->n_codes, n_codes};
    bundle->members.push_back(member);
    bundle->n_codes += n_codes - 1;
    bundle->n_taken += entries.n;
    for (std::int64_t i = 0; i < entries.n; ++i)
        bundle->codes[static_cast<std::size_t>(entries.rows[i])] =
            static_cast<std::uint8_t>(member.part(entries.codes[i]));
    if (bundle->n_codes == kMostCodes) close(bundle);
}

void Bundler::close(Open::iterator bundle) {
    const bool thin = may_list_ && bundle->n_taken * kRowsOfAnEntry < n_rows_;
    (thin ? thin_ : closed_).push_back(std::move(*bundle));
    open_.erase(bundle);
    if (!thin || (!lists_begun_ && std::ssize(thin_) < settings().thin_columns)) return;
    lists_begun_ = true;
    for (const StoredColumn& one : thin_) list_members(one);
    thin_.clear();
}

void Bundler::list_members(const StoredColumn& bundle) {
    std::vector<std::vector<std::int32_t>> rows(bundle.members.size());
    std::vector<std::vector<std::uint16_t>> codes(bundle.members.size());
    std::size_t member_of[kMostCodes] = {};
    for (std::size_t m = 0; m < bundle.members.size(); ++m) {
        const BundleMember& member = bundle.members[m];
        for (int c = 0; c < member.n_codes - 1; ++c)
            member_of[static_cast<std::size_t>(member.first + c)] = m;
    }
    for (std::int64_t row = 0; row < n_rows_; ++row) {
        const std::uint8_t code = bundle.codes[static_cast<std::size_t>(row)];
        if (code == 0) continue;
        const std::size_t m = member_of[code];
        rows[m].push_back(static_cast<std::int32_t>(row));
        codes[m].push_back(static_cast<std::uint16_t>(bundle.members[m].code_of(code)));
    }
    for (std::size_t m = 0; m < bundle.members.size(); ++m)
        lists_.add(bundle.members[m].feature, bundle.members[m].usual_code,
                   {rows[m].data(), codes[m].data(), std::ssize(rows[m])});
}

void Bundler::finish() {
    while (!open_.empty()) close(open_.begin());
    for (StoredColumn& one : thin_) closed_.push_back(std::move(one));
    thin_.clear();
    lists_.finish();
    // A bundle of one feature is stored as that feature.
    for (StoredColumn& column : closed_) {
        if (column.members.size() != 1) continue;
        BundleMember& only = column.members.front();
        std::uint8_t own[kMostCodes];
        for (int part = 0; part < kMostCodes; ++part)
            own[part] = static_cast<std::uint8_t>(only.code_of(part));
        for (std::int64_t row = 0; row < n_rows_; ++row) {
            std::uint8_t& code = column.codes[static_cast<std::size_t>(row)];
            code = own[code];
        }
        only.usual_code = -1;
        only.first = 0;
    }
}

std::vector<FeatureGroup> group_columns(std::span<const StoredColumn> columns, std::int64_t n_rows,
                                        int widest, bool digits) {
    std::vector<FeatureGroup> groups;
    const auto n_columns = static_cast<int>(columns.size());
    std::int64_t offset = 0;
    for (int begin = 0, end = 0; begin < n_columns; begin = end) {
        const bool narrow = columns[static_cast<std::size_t>(begin)].narrow;
        while (end < n_columns && columns[static_cast<std::size_t>(end)].narrow == narrow) ++end;
        const int n = end - begin, n_groups = (n + widest - 1) / widest;
        for (std::int64_t g = 0; g < n_groups; ++g) {
            const auto first = static_cast<int>(begin + n * g / n_groups),
                       last = static_cast<int>(begin + n * (g + 1) / n_groups);
            groups.push_back(make_group(columns, first, last, offset, digits));
            const std::int64_t n_bytes = groups.back().n_columns * n_rows * (narrow ? 1 : 2);
            offset = (offset + n_bytes + kPadding - 1) / kPadding * kPadding;
        }
    }
    return groups;
}

} // namespace ceiba
