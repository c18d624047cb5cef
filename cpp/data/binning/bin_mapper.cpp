#include "data/binning/bin_mapper.hpp"

#include "base/errors.hpp"
#include "data/binning/edge_finder.hpp"
#include "data/binning/level_weights.hpp"
#include "data/binning/sparse_edges.hpp"
#include "parallel/pool.hpp"
#include "parallel/rows.hpp"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

namespace ceiba {

std::shared_ptr<const BinMapper> BinMapper::find(const std::vector<Column>& columns,
                                                 const double* weights, const BinSettings& settings,
                                                 const std::vector<std::int64_t>& n_levels,
                                                 int n_threads) {
    const std::int64_t n_rows = columns.empty() ? 0 : columns[0].n_rows();
    if (n_rows > std::numeric_limits<std::int32_t>::max())
        throw InputError("A table in memory may have at most 2,147,483,647 rows. Got " +
                         std::to_string(n_rows) + ". Train on fewer rows.");
    if (!n_levels.empty() && n_levels.size() != columns.size())
        throw InputError("n_levels must have one entry for each column.");
    const EdgeWeights units = EdgeWeights::make(weights, n_rows, settings.min_data_in_bin);
    std::vector<FoundEdges> found(columns.size());
    std::vector<std::size_t> numbers, sparse, categories;
    for (std::size_t j = 0; j < columns.size(); ++j) {
        const bool is_number = n_levels.empty() || n_levels[j] == 0;
        (!is_number ? categories : columns[j].is_sparse() ? sparse : numbers).push_back(j);
    }
    const auto take = [&](const std::vector<std::size_t>& places, std::vector<FoundEdges> edges) {
        for (std::size_t i = 0; i < places.size(); ++i) found[places[i]] = std::move(edges[i]);
    };
    const int max_value_bins = settings.max_bins - 1;
    if (numbers.size() == columns.size()) {
        found = find_edges(columns, units, max_value_bins, n_threads);
    } else {
        std::vector<Column> some;
        for (const std::size_t j : numbers) some.push_back(columns[j]);
        take(numbers, find_edges(some, units, max_value_bins, n_threads));
        std::vector<const Column*> with_entries;
        for (const std::size_t j : sparse) with_entries.push_back(&columns[j]);
        take(sparse, find_sparse_edges(with_entries, units, max_value_bins, n_threads));
        parallel_for(useful_threads(n_threads, n_rows * std::ssize(categories)),
                     std::ssize(categories), [&](std::int64_t i) {
                         const std::size_t j = categories[static_cast<std::size_t>(i)];
                         LevelWeights levels(n_levels[j]);
                         levels.add(columns[j], weights, units);
                         found[j] = levels.found();
                     });
    }
    std::vector<std::vector<double>> edges;
    std::vector<bool> has_missing;
    edges.reserve(found.size());
    for (FoundEdges& column : found) {
        edges.push_back(std::move(column.edges));
        has_missing.push_back(column.has_missing);
    }
    return std::make_shared<const BinMapper>(std::move(edges), std::move(has_missing), n_levels);
}

BinMapper::BinMapper(std::vector<std::vector<double>> edges, std::vector<bool> has_missing,
                     std::vector<std::int64_t> n_levels)
    : edges_(std::move(edges)), has_missing_(std::move(has_missing)),
      n_levels_(std::move(n_levels)), search_(edges_.size()), codes_of_levels_(edges_.size()) {
    if (edges_.size() != has_missing_.size() ||
        (!n_levels_.empty() && n_levels_.size() != edges_.size()))
        throw InputError("edges and has_missing must have one entry for each feature. Got " +
                         std::to_string(edges_.size()) + " and " +
                         std::to_string(has_missing_.size()) + ".");
    for (std::size_t j = 0; j < edges_.size(); ++j) {
        check_edges(j);
        if (is_category(static_cast<int>(j))) {
            take_levels(j);
            continue;
        }
        n_value_bins_.push_back(static_cast<int>(edges_[j].size()) + 1);
        search_[j].assign(edges_[j].data(), static_cast<int>(edges_[j].size()));
    }
}

void BinMapper::check_edges(std::size_t column) const {
    const std::vector<double>& keys = edges_[column];
    if (keys.size() > 65533)
        throw InputError("A column may have at most 65533 edges. Column " + std::to_string(column) +
                         " has " + std::to_string(keys.size()) + ".");
    for (std::size_t i = 0; i < keys.size(); ++i)
        if (keys[i] != keys[i] || (i > 0 && !(keys[i - 1] < keys[i])))
            throw InputError("Edges must be numbers in ascending order. Edge " + std::to_string(i) +
                             " of column " + std::to_string(column) + " is " +
                             std::to_string(keys[i]) + ".");
}

void BinMapper::take_levels(std::size_t column) {
    const std::int64_t n_levels = n_levels_[column];
    if (edges_[column].empty()) {
        if (n_levels > kMostLevels)
            throw InputError("A category may have at most " + std::to_string(kMostLevels) +
                             " levels with bins of their own. Column " + std::to_string(column) +
                             " has " + std::to_string(n_levels) + ".");
        n_value_bins_.push_back(static_cast<int>(n_levels));
        return;
    }
    const auto n_kept = static_cast<std::uint16_t>(edges_[column].size());
    std::vector<std::uint16_t>& codes = codes_of_levels_[column];
    codes.assign(static_cast<std::size_t>(n_levels), n_kept);
    std::uint16_t code = 0;
    for (const double level : edges_[column]) {
        if (!(level >= 0 && level < static_cast<double>(n_levels)))
            throw InputError(
                "The levels with bins of their own must be ascending levels of the category.");
        codes[static_cast<std::size_t>(level)] = code++;
    }
    n_value_bins_.push_back(n_kept + 1);
}

template <class Number>
void BinMapper::codes(int feature, const double* values, std::int64_t n, Number* out) const {
    const auto missing = static_cast<Number>(missing_code(feature));
    if (!is_category(feature)) {
        search_[place(feature)].each_rank(values, n, [=](std::int64_t i, std::uint32_t rank) {
            out[i] = values[i] == values[i] ? static_cast<Number>(rank) : missing;
        });
        return;
    }
    const auto n_levels = static_cast<double>(this->n_levels(feature));
    const auto& codes = codes_of_levels_[place(feature)];
    for (std::int64_t i = 0; i < n; ++i) {
        const bool known = values[i] >= 0 && values[i] < n_levels;
        const auto level = static_cast<std::size_t>(known ? values[i] : 0);
        out[i] = known ? static_cast<Number>(codes.empty() ? level : codes[level]) : missing;
    }
}

template void BinMapper::codes(int, const double*, std::int64_t, std::uint8_t*) const;
template void BinMapper::codes(int, const double*, std::int64_t, std::uint16_t*) const;

} // namespace ceiba
