#include "data/coded/binned.hpp"

#include "base/errors.hpp"
#include "base/settings.hpp"
#include "data/coded/code_bytes.hpp"
#include "parallel/pool.hpp"

#include <algorithm>
#include <atomic>
#include <limits>
#include <numeric>
#include <string>

namespace ceiba {
namespace {

constexpr std::int64_t tile_rows = 512;
static_assert(tile_rows <= SortedSearch::most_at_once);
constexpr int columns_at_once = 8;
constexpr std::int64_t padding = 64;

// Start of the codes: a multiple of the width of a cache line, after the `n` codes of the group
// before.
std::int64_t place_behind(std::int64_t begin, std::int64_t n, bool narrow) {
    return (begin + n * (narrow ? 1 : 2) + padding - 1) / padding * padding;
}

// Groups of nearly equal width: 54 features are 27 + 27, not 32 + 22. All codes of a group have one
// width.
std::vector<FeatureGroup> make_groups(const std::vector<std::uint8_t>& narrow,
                                      std::int64_t n_rows) {
    std::vector<FeatureGroup> groups;
    const auto n_features = static_cast<int>(narrow.size());
    const int widest = widest_group(n_features, n_rows);
    std::int64_t offset = 0;
    for (int begin = 0, end = 0; begin < n_features; begin = end) {
        const std::uint8_t own = narrow[static_cast<std::size_t>(begin)];
        while (end < n_features && narrow[static_cast<std::size_t>(end)] == own) ++end;
        const int n = end - begin, n_groups = (n + widest - 1) / widest;
        for (std::int64_t g = 0; g < n_groups; ++g) {
            const auto first = static_cast<int>(begin + n * g / n_groups),
                       last = static_cast<int>(begin + n * (g + 1) / n_groups);
            FeatureGroup& group = groups.emplace_back();
            group.features.resize(static_cast<std::size_t>(last - first));
            std::iota(group.features.begin(), group.features.end(), first);
            group.offset = offset;
            group.narrow = own != 0;
            group.n_columns = last - first;
            offset = place_behind(offset, (last - first) * n_rows, own != 0);
        }
    }
    return groups;
}

// Returns whether a value was missing.
template <class Code>
bool write_codes(const BinMapper& mapper, int feature, const double* values, std::int64_t n,
                 Code* codes) {
    const auto missing = static_cast<Code>(mapper.missing_code(feature));
    mapper.codes(feature, values, n, codes);
    return std::find(codes, codes + n, missing) != codes + n;
}

template <int count, class Code>
void interleave(const Code* const* columns, std::int64_t n, int width, Code* rows) {
    for (std::int64_t i = 0; i < n; ++i)
        for (int c = 0; c < count; ++c) rows[i * width + c] = columns[c][i];
}

// Write `count` columns into rows that are `width` codes long.
template <class Code>
void interleave(const Code* const* columns, int count, std::int64_t n, int width, Code* rows) {
    static_assert(columns_at_once == 8);
    switch (count) {
    case 1:
        return interleave<1>(columns, n, width, rows);
    case 2:
        return interleave<2>(columns, n, width, rows);
    case 3:
        return interleave<3>(columns, n, width, rows);
    case 4:
        return interleave<4>(columns, n, width, rows);
    case 5:
        return interleave<5>(columns, n, width, rows);
    case 6:
        return interleave<6>(columns, n, width, rows);
    case 7:
        return interleave<7>(columns, n, width, rows);
    default:
        return interleave<8>(columns, n, width, rows);
    }
}

// Call task(begin, n) for tiles of rows, chunk by chunk on all threads.
template <class Tile>
void each_tile(std::int64_t n_rows, int n_threads, Tile&& tile) {
    const std::int64_t chunk = std::max<std::int64_t>(settings().chunk_rows, 1);
    parallel_for(n_threads, (n_rows + chunk - 1) / chunk, [&](std::int64_t c) {
        const std::int64_t end = std::min(n_rows, (c + 1) * chunk);
        for (std::int64_t begin = c * chunk; begin < end; begin += tile_rows)
            tile(begin, std::min(tile_rows, end - begin));
    });
}

// Encode `count` neighboring columns of a tile, `values`, and with `rows` also interleave them.
// Returns whether a column without missing values at fit has one now.
template <class Code>
bool write_tile(const BinMapper& mapper, int first, int count, const double* values, std::int64_t n,
                Code* const* of_column, int width, Code* rows) {
    bool new_missing = false;
    for (int c = 0; c < count; ++c)
        if (write_codes(mapper, first + c, values + c * n, n, of_column[c]) &&
            !mapper.has_missing(first + c))
            new_missing = true;
    if (rows != nullptr)
        interleave(const_cast<const Code* const*>(of_column), count, n, width, rows);
    return new_missing;
}

// The usual code of every feature that rarely has another one, or -1. Known for sparse columns;
// estimated from a few rows for others.
std::vector<int> find_usual(const BinMapper& mapper, const std::vector<Column>& columns,
                            int least_codes) {
    const std::int64_t n_rows = columns.empty() ? 0 : columns[0].n_rows(),
                       n = std::min<std::int64_t>(n_rows, 1000);
    std::vector<std::int32_t> rows;
    for (std::int64_t i = 0; i < n; ++i) rows.push_back(static_cast<std::int32_t>(n_rows * i / n));
    std::vector<double> values(static_cast<std::size_t>(n));
    std::vector<std::vector<std::uint8_t>> samples(columns.size());
    for (std::size_t j = 0; j < columns.size(); ++j) {
        const auto feature = static_cast<int>(j);
        if (columns[j].is_sparse() || mapper.n_bins(feature) < least_codes ||
            mapper.missing_code(feature) >= 256)
            continue;
        columns[j].gather(rows.data(), n, values.data());
        samples[j].resize(static_cast<std::size_t>(n));
        write_codes(mapper, feature, values.data(), n, samples[j].data());
    }
    std::vector<int> usual = may_share(mapper, samples);
    for (std::size_t j = 0; j < columns.size(); ++j) {
        const auto feature = static_cast<int>(j);
        if (!columns[j].is_sparse() || mapper.n_bins(feature) < least_codes ||
            mapper.is_category(feature) || 2 * columns[j].n_entries() > n_rows)
            continue;
        const double absent = columns[j].absent();
        std::uint16_t code = 0;
        mapper.codes(feature, &absent, 1, &code);
        usual[j] = code;
    }
    return usual;
}

} // namespace

// 16 histograms of 256 words just fit into an L1 cache. But for tables far larger than the caches,
// every group costs one more cache line per row, which outweighs that.
int widest_group(std::int64_t n_columns, std::int64_t n_rows) {
    return n_rows * n_columns > settings().cached_codes ? 32 : 16;
}

std::int64_t least_code_bytes(const BinMapper& mapper, const std::vector<Column>& columns,
                              bool lists) {
    if (columns.empty()) return 0;
    const std::vector<int> usual = find_usual(mapper, columns, lists ? 2 : 1);
    std::int64_t n_bytes = 0;
    for (int j = 0; j < mapper.n_features(); ++j) {
        const bool stored =
            usual[static_cast<std::size_t>(j)] < 0 && (!lists || mapper.n_bins(j) >= 2);
        // By column and by row; columns that share bytes as digits have at least a quarter there.
        if (stored) n_bytes += columns[0].n_rows() * (mapper.missing_code(j) < 256 ? 1 : 4);
    }
    return n_bytes;
}

// Write the codes of columns of single features, which are neighbors in every group, and with
// `rows` also the rows of the groups.
void BinnedMatrix::write(const std::vector<Column>& columns, std::span<const FeatureGroup> groups,
                         bool rows, int n_threads) {
    // Process a tile of rows for all groups, so that each cache line of a row-major table is loaded
    // once.
    std::atomic<bool> new_missing = false;
    each_tile(n_rows_, n_threads, [&](std::int64_t begin, std::int64_t n) {
        double tile[tile_rows * columns_at_once];
        for (const FeatureGroup& group : groups) {
            for (int k = 0; k < group.width(); k += columns_at_once) {
                const int first = group.features.front() + k,
                          count = std::min(columns_at_once, group.width() - k);
                read_tile(columns.data() + first, count, begin, n, tile);
                const auto write_as = [&]<class Code>(Code) {
                    Code* of_column[columns_at_once];
                    for (int c = 0; c < count; ++c)
                        of_column[c] = column_to_write<Code>(home(first + c).stored) + begin;
                    Code* to =
                        rows ? const_cast<Code*>(rows_of<Code>(group)) + begin * group.width() + k
                             : nullptr;
                    if (write_tile(*mapper_, first, count, tile, n, of_column, group.width(), to))
                        new_missing.store(true, std::memory_order_relaxed);
                };
                if (group.narrow)
                    write_as(std::uint8_t{});
                else
                    write_as(std::uint16_t{});
            }
        }
    });
    new_missing_ = new_missing_ || new_missing.load();
}

std::shared_ptr<const BinnedMatrix> BinnedMatrix::build(std::shared_ptr<const BinMapper> mapper,
                                                        const std::vector<Column>& columns,
                                                        int n_threads, bool lists) {
    if (static_cast<int>(columns.size()) != mapper->n_features())
        throw InputError("The table must have the columns of the bin mapper. Got " +
                         std::to_string(columns.size()) + " columns for " +
                         std::to_string(mapper->n_features()) + ".");
    const std::int64_t n_rows = columns.empty() ? 0 : columns[0].n_rows();
    if (n_rows > std::numeric_limits<std::int32_t>::max())
        throw InputError("A table in memory may have at most 2,147,483,647 rows. Got " +
                         std::to_string(n_rows) + ". Train on fewer rows.");
    for (const Column& column : columns)
        if (column.n_rows() != n_rows)
            throw InputError("All columns must have the same number of rows. Got " +
                             std::to_string(n_rows) + " and " + std::to_string(column.n_rows()) +
                             ".");
    auto matrix = std::make_shared<BinnedMatrix>();
    matrix->mapper_ = mapper;
    n_threads = useful_threads(n_threads, n_rows * mapper->n_features());
    std::vector<std::uint8_t> narrow;
    bool all_narrow = true, constant = false;
    for (int j = 0; j < mapper->n_features(); ++j) {
        narrow.push_back(mapper->missing_code(j) < 256 ? 1 : 0);
        all_narrow = all_narrow && narrow.back() != 0;
        constant = constant || (lists && mapper->n_bins(j) < 2);
    }
    const std::vector<int> usual = find_usual(*mapper, columns, lists ? 2 : 1);
    // Splitting digits costs time at every node: it pays only with many rows per node.
    const bool digits = all_narrow && n_rows >= settings().digit_rows && may_be_digits(*mapper),
               some = std::any_of(usual.begin(), usual.end(), [](int code) { return code >= 0; });
    matrix->shape(n_rows, std::move(narrow));
    if (digits || some || constant) {
        matrix->assemble(columns, usual, lists, digits, n_threads);
    } else {
        matrix->make_column_room();
        matrix->make_row_room();
        matrix->write(columns, matrix->groups_, true, n_threads);
    }
    return matrix;
}

std::vector<Code> BinnedMatrix::meanings(int feature) const {
    std::vector<Code> codes;
    const BundleMember& member = home(feature).member;
    if (member.usual_code < 0) return codes;
    for (int part = 0; part < Bundler::kMostCodes; ++part)
        codes.push_back(static_cast<Code>(member.code_of(part)));
    return codes;
}

Code BinnedMatrix::code(int feature, std::int64_t row) const {
    const Home& own = home(feature);
    if (own.list >= 0) return lists_.code(own.list, row);
    if (own.stored < 0) return 0;
    return with_column(feature, [&](const auto* codes) {
        return static_cast<Code>(own.member.code_of(codes[row]));
    });
}

void BinnedMatrix::shape(std::int64_t n_rows, std::vector<std::uint8_t> narrow) {
    n_rows_ = n_rows;
    n_features_ = static_cast<int>(narrow.size());
    narrow_ = std::move(narrow);
    groups_ = make_groups(narrow_, n_rows_);
    homes_.assign(narrow_.size(), {});
    for (int j = 0; j < n_features_; ++j) homes_[static_cast<std::size_t>(j)].stored = j;
    offsets_.assign(1, 0);
    for (const std::uint8_t own : narrow_)
        offsets_.push_back(offsets_.back() + bytes_of_column(own != 0));
}

namespace {

// Kernels may read a little past the end of the codes.
void make_codes(Buffer<std::uint8_t>& codes, std::int64_t n_bytes) {
    codes.need(static_cast<std::size_t>(n_bytes + padding));
    std::fill_n(codes.data() + n_bytes, padding, std::uint8_t{0});
}

} // namespace

void BinnedMatrix::make_column_room() {
    make_codes(by_column_, offsets_.back());
}

void BinnedMatrix::make_row_room() {
    std::int64_t n_bytes = 0;
    for (const FeatureGroup& group : groups_)
        n_bytes =
            std::max(n_bytes, group.offset + n_rows_ * group.n_columns * (group.narrow ? 1 : 2));
    make_codes(by_row_, n_bytes);
}

// Write the rows of groups in which columns are digits of shared bytes.
void BinnedMatrix::share_rows(int n_threads) {
    interleave_columns(n_threads);
    each_tile(n_rows_, n_threads, [&](std::int64_t begin, std::int64_t n) {
        std::vector<std::uint8_t> shared;
        std::vector<const std::uint8_t*> of_column;
        for (const FeatureGroup& group : groups_) {
            if (group.parts.empty()) continue;
            shared.assign(static_cast<std::size_t>(group.n_columns * tile_rows), 0);
            of_column.clear();
            for (int c = 0; c < group.n_columns; ++c)
                of_column.push_back(shared.data() + c * tile_rows);
            for (const FeatureGroup::Part& part : group.parts) {
                const std::uint8_t* codes = column<std::uint8_t>(part.stored) + begin;
                std::uint8_t* own = shared.data() + part.column * tile_rows;
                for (std::int64_t i = 0; i < n; ++i)
                    own[i] = static_cast<std::uint8_t>(own[i] + part.step * codes[i]);
            }
            for (int c = 0; c < group.n_columns; c += columns_at_once)
                interleave(of_column.data() + c, std::min(columns_at_once, group.n_columns - c), n,
                           group.n_columns,
                           by_row_.data() + group.offset + begin * group.n_columns + c);
        }
    });
}

void BinnedMatrix::interleave_columns(int n_threads) {
    each_tile(n_rows_, n_threads, [&](std::int64_t begin, std::int64_t n) {
        for (const FeatureGroup& group : groups_) {
            if (!group.parts.empty()) continue;
            const auto write_as = [&]<class Code>(Code) {
                for (int k = 0; k < group.width(); k += columns_at_once) {
                    const int count = std::min(columns_at_once, group.width() - k);
                    const Code* of_column[columns_at_once];
                    for (int c = 0; c < count; ++c)
                        of_column[c] =
                            column<Code>(
                                home(group.features[static_cast<std::size_t>(k + c)]).stored) +
                            begin;
                    interleave(of_column, count, n, group.width(),
                               const_cast<Code*>(rows_of<Code>(group)) + begin * group.width() + k);
                }
            };
            if (group.narrow)
                write_as(std::uint8_t{});
            else
                write_as(std::uint16_t{});
        }
    });
}

} // namespace ceiba
