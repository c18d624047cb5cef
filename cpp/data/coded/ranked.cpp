#include "data/coded/ranked.hpp"

#include "base/errors.hpp"
#include "base/interrupt.hpp"
#include "data/sorting/value_sort.hpp"
#include "parallel/pool.hpp"

#include <algorithm>
#include <limits>
#include <string>

namespace ceiba {

namespace {

struct Entry {
    double value;
    std::int32_t row;
};

} // namespace

std::shared_ptr<const RankedColumns> RankedColumns::build(const std::vector<Column>& columns,
                                                          int n_threads) {
    auto ranked = std::make_shared<RankedColumns>();
    ranked->n_rows_ = columns.empty() ? 0 : columns[0].n_rows();
    if (ranked->n_rows_ > std::numeric_limits<std::int32_t>::max())
        throw InputError("A table in memory may have at most 2,147,483,647 rows. Got " +
                         std::to_string(ranked->n_rows_) + ". Train on fewer rows.");
    const auto n_cells = static_cast<std::size_t>(ranked->n_rows_) * columns.size();
    ranked->values_.resize(columns.size());
    ranked->starts_.resize(columns.size());
    ranked->ranks_.need(n_cells);
    ranked->order_.need(n_cells);
    n_threads = useful_threads(n_threads, static_cast<std::int64_t>(n_cells));
    parallel_for(n_threads, static_cast<std::int64_t>(columns.size()), [&](std::int64_t j) {
        ranked->sort_column(columns[static_cast<std::size_t>(j)], static_cast<int>(j));
    });
    return ranked;
}

void RankedColumns::sort_column(const Column& column, int feature) {
    ValueSort<Entry> sorter;
    std::vector<double> read(static_cast<std::size_t>(n_rows_));
    std::vector<Entry> entries;
    entries.reserve(read.size());
    column.read(0, n_rows_, read.data());
    std::uint32_t* ranks = ranks_.data() + feature * n_rows_;
    std::int32_t* order = order_.data() + feature * n_rows_;
    for (std::int64_t row = 0; row < n_rows_; ++row) {
        const double value = read[static_cast<std::size_t>(row)];
        ranks[row] = kMissing;
        if (value == value) entries.push_back({value, static_cast<std::int32_t>(row)});
    }
    const auto n = static_cast<std::int64_t>(entries.size());
    sorter.sort(entries.data(), n);
    check_interrupt();

    std::vector<double>& values = values_[place(feature)];
    std::vector<std::int32_t>& starts = starts_[place(feature)];
    for (std::int64_t i = 0; i < n; ++i) {
        const Entry& entry = entries[static_cast<std::size_t>(i)];
        if (values.empty() || values.back() != entry.value) {
            values.push_back(entry.value);
            starts.push_back(static_cast<std::int32_t>(i));
        }
        ranks[entry.row] = static_cast<std::uint32_t>(values.size() - 1);
        order[i] = entry.row;
    }
    starts.push_back(static_cast<std::int32_t>(n));
    values.shrink_to_fit();
    starts.shrink_to_fit();
    // The sort may have changed the order of equal values.
    for (std::size_t v = 0; v < values.size(); ++v) {
        std::int32_t *begin = order + starts[v], *end = order + starts[v + 1];
        if (!std::is_sorted(begin, end)) std::sort(begin, end);
    }
}

std::uint32_t RankedColumns::n_values_up_to(int feature, double threshold) const {
    const auto own = values(feature);
    return static_cast<std::uint32_t>(std::upper_bound(own.begin(), own.end(), threshold) -
                                      own.begin());
}

std::int64_t RankedColumns::n_bytes() const {
    std::int64_t bytes = n_rows_ * n_features() * 8;
    for (const auto& values : values_) bytes += static_cast<std::int64_t>(values.size()) * 12;
    return bytes;
}

} // namespace ceiba
