#include "data/sparse/sparse_rows.hpp"

#include "base/errors.hpp"
#include "parallel/pool.hpp"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

namespace ceiba {

void check_rows(const SparseRows& rows) {
    if (rows.n_rows > std::numeric_limits<std::int32_t>::max())
        throw InputError("A table in memory may have at most 2,147,483,647 rows. Got " +
                         std::to_string(rows.n_rows) + ". Train on fewer rows.");
    std::int64_t before = 0;
    bool fits = rows.start(0) == 0 && rows.start(rows.n_rows) <= rows.n_entries;
    for (std::int64_t row = 0; row < rows.n_rows; ++row) {
        const std::int64_t next = rows.start(row + 1);
        fits = fits && next >= before;
        before = next;
    }
    if (fits)
        rows.with_columns([&](const auto* columns) {
            const std::int64_t n = rows.start(rows.n_rows);
            bool inside = true;
            for (std::int64_t i = 0; i < n; ++i)
                inside = inside & (columns[i] >= 0) & (columns[i] < rows.n_columns);
            fits = inside;
        });
    if (!fits)
        throw InputError(
            "The sparse matrix is damaged: its indptr must rise from 0 to the number of "
            "entries, and its indices must lie below the number of columns. Make it anew.");
}

template <class Value, class Index>
void TransposedRows::write(const SparseRows& rows, const Index* columns, int n_threads) {
    const auto n_columns = static_cast<std::size_t>(rows.n_columns);
    // Every part of the rows knows where its entries of a column begin: after those of the parts
    // before it. This table grows with the number of columns, so there are few parts.
    const std::int64_t n_parts = useful_threads(n_threads, 4 * rows.start(rows.n_rows));
    std::vector<std::vector<std::int64_t>> places(static_cast<std::size_t>(n_parts));
    const auto first_of = [&](std::int64_t part) { return rows.n_rows * part / n_parts; };
    parallel_for(static_cast<int>(n_parts), n_parts, [&](std::int64_t part) {
        auto& counts = places[static_cast<std::size_t>(part)];
        counts.assign(n_columns, 0);
        const std::int64_t end = rows.start(first_of(part + 1));
        for (std::int64_t i = rows.start(first_of(part)); i < end; ++i)
            ++counts[static_cast<std::size_t>(columns[i])];
    });
    starts_.assign(n_columns + 1, 0);
    std::int64_t at = 0;
    for (std::size_t j = 0; j < n_columns; ++j) {
        starts_[j] = at;
        for (auto& of_part : places) at += std::exchange(of_part[j], at);
    }
    starts_[n_columns] = at;
    rows_.need(static_cast<std::size_t>(at));
    values_.need(static_cast<std::size_t>(at) * sizeof(Value));
    const auto* from = static_cast<const Value*>(rows.values);
    auto* values = reinterpret_cast<Value*>(values_.data());
    parallel_for(static_cast<int>(n_parts), n_parts, [&](std::int64_t part) {
        std::vector<std::int64_t>& next = places[static_cast<std::size_t>(part)];
        for (std::int64_t row = first_of(part); row < first_of(part + 1); ++row) {
            const std::int64_t end = rows.start(row + 1);
            for (std::int64_t i = rows.start(row); i < end; ++i) {
                const auto to =
                    static_cast<std::size_t>(next[static_cast<std::size_t>(columns[i])]++);
                rows_[to] = static_cast<std::int32_t>(row);
                values[to] = from[i];
            }
        }
    });
}

std::shared_ptr<const TransposedRows> TransposedRows::of(const SparseRows& rows, int n_threads) {
    auto transposed = std::make_shared<TransposedRows>();
    transposed->n_rows_ = rows.n_rows;
    transposed->type_ = rows.type;
    transposed->absent_ = rows.absent;
    rows.with_columns([&](const auto* columns) {
        // Values are moved, not read: only their size matters.
        switch (bytes_of(rows.type)) {
        case 1:
            return transposed->write<std::uint8_t>(rows, columns, n_threads);
        case 2:
            return transposed->write<std::uint16_t>(rows, columns, n_threads);
        case 4:
            return transposed->write<std::uint32_t>(rows, columns, n_threads);
        default:
            return transposed->write<std::uint64_t>(rows, columns, n_threads);
        }
    });
    return transposed;
}

ColumnChunk TransposedRows::column(std::int64_t j) const {
    const std::int64_t begin = starts_[static_cast<std::size_t>(j)],
                       n = starts_[static_cast<std::size_t>(j) + 1] - begin;
    const int size = bytes_of(type_);
    return {values_.data() + begin * size, size, n_rows_, type_, true,
            rows_.data() + begin,          n,    absent_};
}

} // namespace ceiba
