#include "data/binned.hpp"

#include "base/errors.hpp"
#include "base/settings.hpp"
#include "parallel/pool.hpp"

#include <algorithm>
#include <limits>
#include <string>

namespace ceiba {
namespace {

constexpr std::int64_t tile_rows = 512;
static_assert(tile_rows <= SortedSearch::most_at_once);
constexpr int widest_group = 8; // 8 histograms of 256 packed words are 16 kB, half of a first-level cache
constexpr std::int64_t padding = 64;

std::vector<FeatureGroup> make_groups(int n_features, std::int64_t n_rows) {
    // Groups of nearly equal width: 28 features are 4 x 7, not 3 x 8 and 4.
    std::vector<FeatureGroup> groups;
    const int n_groups = (n_features + widest_group - 1) / widest_group;
    for (int g = 0; g < n_groups; ++g) {
        const int first = n_features * g / n_groups;
        const int end = n_features * (g + 1) / n_groups;
        groups.push_back({first, end - first, first * n_rows});
    }
    return groups;
}

template <class Code>
void write_codes(const BinMapper& mapper, int feature, const double* values, std::int64_t n, Code* codes) {
    const auto missing = static_cast<Code>(mapper.missing_code(feature));
    mapper.search(feature).each_rank(values, n, [=](std::int64_t i, std::uint32_t rank) {
        codes[i] = values[i] == values[i] ? static_cast<Code>(rank) : missing;
    });
}

template <int width, class Code>
void interleave(const Code* const* columns, std::int64_t n, Code* rows) {
    for (std::int64_t i = 0; i < n; ++i)
        for (int c = 0; c < width; ++c) rows[i * width + c] = columns[c][i];
}

template <class Code>
void interleave(const Code* const* columns, int width, std::int64_t n, Code* rows) {
    static_assert(widest_group == 8);
    switch (width) {
    case 1: return interleave<1>(columns, n, rows);
    case 2: return interleave<2>(columns, n, rows);
    case 3: return interleave<3>(columns, n, rows);
    case 4: return interleave<4>(columns, n, rows);
    case 5: return interleave<5>(columns, n, rows);
    case 6: return interleave<6>(columns, n, rows);
    case 7: return interleave<7>(columns, n, rows);
    default: return interleave<8>(columns, n, rows);
    }
}

template <class Code>
void write_matrix(const BinMapper& mapper, const std::vector<Column>& columns,
                  const std::vector<FeatureGroup>& groups, std::int64_t n_rows, int n_threads,
                  Code* by_row, Code* by_column) {
    // A tile of rows goes through all groups, so that the cache lines of a row-major table come in once.
    const std::int64_t chunk = std::max<std::int64_t>(settings().chunk_rows, 1);
    const std::int64_t n_chunks = (n_rows + chunk - 1) / chunk;
    parallel_for(n_threads, n_chunks, [&](std::int64_t c) {
        std::vector<double> tile(tile_rows * widest_group);
        const std::int64_t end = std::min(n_rows, (c + 1) * chunk);
        for (std::int64_t begin = c * chunk; begin < end; begin += tile_rows) {
            const std::int64_t n = std::min(tile_rows, end - begin);
            for (const FeatureGroup& group : groups) {
                read_tile(columns.data() + group.first, group.width, begin, n, tile.data());
                const Code* of_column[widest_group];
                for (int k = 0; k < group.width; ++k) {
                    Code* codes = by_column + (group.first + k) * n_rows + begin;
                    write_codes(mapper, group.first + k, tile.data() + k * n, n, codes);
                    of_column[k] = codes;
                }
                interleave(of_column, group.width, n, by_row + group.offset + begin * group.width);
            }
        }
    });
}

} // namespace

std::shared_ptr<const BinnedMatrix> BinnedMatrix::build(std::shared_ptr<const BinMapper> mapper,
                                                        const std::vector<Column>& columns,
                                                        int n_threads) {
    if (static_cast<int>(columns.size()) != mapper->n_features())
        throw InputError("The table must have the columns of the bin mapper. Got " +
                         std::to_string(columns.size()) + " columns for " +
                         std::to_string(mapper->n_features()) + ".");
    auto matrix = std::make_shared<BinnedMatrix>();
    matrix->n_features_ = mapper->n_features();
    matrix->n_rows_ = columns.empty() ? 0 : columns[0].n_rows();
    if (matrix->n_rows_ > std::numeric_limits<std::int32_t>::max())
        throw InputError("A table in memory may have at most 2,147,483,647 rows. Got " +
                         std::to_string(matrix->n_rows_) + ". Train on fewer rows.");
    for (const Column& column : columns)
        if (column.n_rows() != matrix->n_rows_)
            throw InputError("All columns must have the same number of rows. Got " +
                             std::to_string(matrix->n_rows_) + " and " + std::to_string(column.n_rows()) +
                             ".");
    matrix->narrow_ = true;
    for (int j = 0; j < mapper->n_features(); ++j)
        matrix->narrow_ = matrix->narrow_ && mapper->missing_code(j) < 256;
    matrix->groups_ = make_groups(matrix->n_features_, matrix->n_rows_);
    const std::int64_t n_bytes = matrix->n_bytes() / 2;
    matrix->by_row_ = std::make_unique_for_overwrite<std::uint8_t[]>(n_bytes + padding);
    matrix->by_column_ = std::make_unique_for_overwrite<std::uint8_t[]>(n_bytes + padding);
    std::fill_n(matrix->by_row_.get() + n_bytes, padding, std::uint8_t{0});
    std::fill_n(matrix->by_column_.get() + n_bytes, padding, std::uint8_t{0});

    n_threads = useful_threads(n_threads, matrix->n_rows_ * matrix->n_features_);
    if (matrix->narrow_) {
        write_matrix(*mapper, columns, matrix->groups_, matrix->n_rows_, n_threads,
                     matrix->by_row_.get(), matrix->by_column_.get());
    } else {
        write_matrix(*mapper, columns, matrix->groups_, matrix->n_rows_, n_threads,
                     reinterpret_cast<std::uint16_t*>(matrix->by_row_.get()),
                     reinterpret_cast<std::uint16_t*>(matrix->by_column_.get()));
    }
    matrix->mapper_ = std::move(mapper);
    return matrix;
}

} // namespace ceiba
