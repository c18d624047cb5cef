#include "data/binned.hpp"

#include "base/errors.hpp"
#include "base/settings.hpp"
#include "parallel/pool.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <limits>
#include <string>

namespace ceiba {
namespace {

constexpr std::int64_t tile_rows = 512;
static_assert(tile_rows <= SortedSearch::most_at_once);
constexpr int columns_at_once = 8;
constexpr std::int64_t padding = 64;

// How many columns share a group. 16 histograms of 256 words just fit a first-level cache; but
// where the codes are far larger than the caches, every group costs a row another cache line, and
// that outweighs it.
int widest_group(int n_features, std::int64_t n_rows) {
    return n_rows * n_features > settings().cached_codes ? 32 : 16;
}

// Where codes begin: at a multiple of the width of a page's line, behind `n` codes of the group before.
std::int64_t place_behind(std::int64_t begin, std::int64_t n, bool narrow) {
    return (begin + n * (narrow ? 1 : 2) + padding - 1) / padding * padding;
}

// Groups of nearly equal width: 54 features are 27 + 27, not 32 + 22. Codes of a group have one
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
            groups.push_back({first, last - first, offset, own != 0, last - first, {}, {}});
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

// Writes `count` columns into rows that are `width` codes long.
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

// Calls task(begin, n) for tiles of rows, chunk by chunk on all threads.
template <class Tile>
void each_tile(std::int64_t n_rows, int n_threads, Tile&& tile) {
    const std::int64_t chunk = std::max<std::int64_t>(settings().chunk_rows, 1);
    parallel_for(n_threads, (n_rows + chunk - 1) / chunk, [&](std::int64_t c) {
        const std::int64_t end = std::min(n_rows, (c + 1) * chunk);
        for (std::int64_t begin = c * chunk; begin < end; begin += tile_rows)
            tile(begin, std::min(tile_rows, end - begin));
    });
}

// Codes `count` neighbouring columns of a tile, `values`, and with `rows` interleaves them too.
// Returns whether a column that had no missing values when its edges were found has one now.
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

// Writes the rows of groups some of whose columns are shared.
void write_shared_rows(const BinMapper& mapper, const std::vector<FeatureGroup>& groups,
                       std::int64_t n_rows, int n_threads, const std::uint8_t* by_column,
                       std::uint8_t* by_row) {
    using Table = std::array<std::uint8_t, 256>;
    std::vector<Table> tables(static_cast<std::size_t>(mapper.n_features()));
    for (const FeatureGroup& group : groups)
        for (std::size_t k = 0; k < group.places.size(); ++k)
            if (!group.places[k].alone)
                for (int code = 0; code < mapper.n_bins(group.first + static_cast<int>(k)); ++code)
                    tables[static_cast<std::size_t>(group.first) + k]
                          [static_cast<std::size_t>(code)] =
                              static_cast<std::uint8_t>(group.places[k].part(code));
    each_tile(n_rows, n_threads, [&](std::int64_t begin, std::int64_t n) {
        for (const FeatureGroup& group : groups) {
            std::vector<const std::uint8_t*> of_column(static_cast<std::size_t>(group.n_columns));
            std::vector<std::uint8_t> shared(static_cast<std::size_t>(group.n_columns * tile_rows));
            for (int k = 0; k < group.width; ++k) {
                const std::uint8_t* codes = by_column + (group.first + k) * n_rows + begin;
                if (group.places.empty()) {
                    of_column[static_cast<std::size_t>(k)] = codes;
                    continue;
                }
                const FeaturePlace& place = group.places[static_cast<std::size_t>(k)];
                const auto column = static_cast<std::size_t>(place.column);
                of_column[column] = codes;
                if (place.alone) continue;
                std::uint8_t* own = shared.data() + place.column * tile_rows;
                of_column[column] = own;
                // Digits add up, and of the members of a digit at most one is unusual in a row.
                const Table& table = tables[static_cast<std::size_t>(group.first + k)];
                for (std::int64_t i = 0; i < n; ++i)
                    own[i] = static_cast<std::uint8_t>(own[i] + table[codes[i]]);
            }
            for (int c = 0; c < group.n_columns; c += columns_at_once)
                interleave(of_column.data() + c, std::min(columns_at_once, group.n_columns - c), n,
                           group.n_columns, by_row + group.offset + begin * group.n_columns + c);
        }
    });
}

// Codes of some rows of every column.
std::vector<std::vector<std::uint8_t>> sample_codes(const BinMapper& mapper,
                                                    const std::vector<Column>& columns) {
    const std::int64_t n_rows = columns.empty() ? 0 : columns[0].n_rows(),
                       n = std::min<std::int64_t>(n_rows, 1000);
    std::vector<std::int32_t> rows;
    for (std::int64_t i = 0; i < n; ++i) rows.push_back(static_cast<std::int32_t>(n_rows * i / n));
    std::vector<double> values(static_cast<std::size_t>(n));
    std::vector<std::vector<std::uint8_t>> samples;
    for (std::size_t j = 0; j < columns.size(); ++j) {
        columns[j].gather(rows.data(), n, values.data());
        samples.emplace_back(static_cast<std::size_t>(n));
        write_codes(mapper, static_cast<int>(j), values.data(), n, samples.back().data());
    }
    return samples;
}

} // namespace

// Writes the codes of all columns, and with `rows` also the rows of groups without shared columns.
void BinnedMatrix::write(const std::vector<Column>& columns, bool rows, int n_threads) {
    // A tile of rows goes through all groups, so that the cache lines of a row-major table come in
    // once.
    std::atomic<bool> new_missing = false;
    each_tile(n_rows_, n_threads, [&](std::int64_t begin, std::int64_t n) {
        double tile[tile_rows * columns_at_once];
        for (const FeatureGroup& group : groups_) {
            for (int k = 0; k < group.width; k += columns_at_once) {
                const int first = group.first + k,
                          count = std::min(columns_at_once, group.width - k);
                read_tile(columns.data() + first, count, begin, n, tile);
                const auto write_as = [&]<class Code>(Code) {
                    Code* of_column[columns_at_once];
                    for (int c = 0; c < count; ++c)
                        of_column[c] = column_to_write<Code>(first + c) + begin;
                    Code* to =
                        rows ? const_cast<Code*>(rows_of<Code>(group)) + begin * group.width + k
                             : nullptr;
                    if (write_tile(*mapper_, first, count, tile, n, of_column, group.width, to))
                        new_missing.store(true, std::memory_order_relaxed);
                };
                if (group.narrow)
                    write_as(std::uint8_t{});
                else
                    write_as(std::uint16_t{});
            }
        }
    });
    new_missing_ = new_missing.load();
}

std::shared_ptr<const BinnedMatrix> BinnedMatrix::build(std::shared_ptr<const BinMapper> mapper,
                                                        const std::vector<Column>& columns,
                                                        int n_threads) {
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
    std::vector<std::uint8_t> narrow;
    for (int j = 0; j < mapper->n_features(); ++j)
        narrow.push_back(mapper->missing_code(j) < 256 ? 1 : 0);
    auto matrix = std::make_shared<BinnedMatrix>();
    matrix->mapper_ = mapper;
    matrix->shape(n_rows, std::move(narrow));
    n_threads = useful_threads(n_threads, n_rows * mapper->n_features());
    const std::vector<int> usual =
        matrix->narrow() ? may_share(*mapper, sample_codes(*mapper, columns)) : std::vector<int>{};
    // Digits have to be taken apart for every node: that pays only where nodes have many rows.
    const bool digits =
                   matrix->narrow() && n_rows >= settings().digit_rows && may_be_digits(*mapper),
               shared = digits || !usual.empty();
    matrix->make_column_room();
    if (!shared) matrix->make_row_room();
    matrix->write(columns, !shared, n_threads);
    if (shared) matrix->share_columns(usual, digits, n_threads);
    return matrix;
}

// All columns are narrow, so they lie one after the other.
void BinnedMatrix::share_columns(const std::vector<int>& usual, bool digits, int n_threads) {
    // A table to predict for may hold codes that no bin of the mapper stands for.
    if (!new_missing_) {
        const auto n_groups = static_cast<int>(groups_.size());
        groups_ = bundle_columns(*mapper_, usual, by_column_.data(), n_rows_,
                                 (n_features_ + n_groups - 1) / std::max(1, n_groups), digits);
    }
    int n_columns = 0;
    for (const FeatureGroup& group : groups_) n_columns += group.n_columns;
    make_row_room();
    write_shared_rows(*mapper_, groups_, n_rows_, n_threads, by_column_.data(), by_row_.data());
    if (n_columns < n_features_) count(counters().shared_columns, n_features_ - n_columns);
}

void BinnedMatrix::shape(std::int64_t n_rows, std::vector<std::uint8_t> narrow) {
    n_rows_ = n_rows;
    n_features_ = static_cast<int>(narrow.size());
    narrow_ = std::move(narrow);
    all_narrow_ = std::all_of(narrow_.begin(), narrow_.end(), [](auto own) { return own != 0; });
    groups_ = make_groups(narrow_, n_rows_);
    offsets_.assign(1, 0);
    for (const std::uint8_t own : narrow_)
        offsets_.push_back(offsets_.back() + n_rows_ * (own != 0 ? 1 : 2));
}

namespace {

// Codes may be read a little past their end.
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

void BinnedMatrix::interleave_columns(int n_threads) {
    each_tile(n_rows_, n_threads, [&](std::int64_t begin, std::int64_t n) {
        for (const FeatureGroup& group : groups_) {
            const auto write_as = [&]<class Code>(Code) {
                for (int k = 0; k < group.width; k += columns_at_once) {
                    const int count = std::min(columns_at_once, group.width - k);
                    const Code* of_column[columns_at_once];
                    for (int c = 0; c < count; ++c)
                        of_column[c] = column<Code>(group.first + k + c) + begin;
                    interleave(of_column, count, n, group.width,
                               const_cast<Code*>(rows_of<Code>(group)) + begin * group.width + k);
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
