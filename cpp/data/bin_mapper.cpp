#include "data/bin_mapper.hpp"

#include "base/errors.hpp"
#include "data/edge_finder.hpp"

#include <limits>
#include <string>
#include <utility>

namespace ceiba {

std::shared_ptr<const BinMapper> BinMapper::find(const std::vector<Column>& columns,
                                                 const double* weights, const BinSettings& settings,
                                                 int n_threads) {
    const std::int64_t n_rows = columns.empty() ? 0 : columns[0].n_rows();
    if (n_rows > std::numeric_limits<std::int32_t>::max())
        throw InputError("A table in memory may have at most 2,147,483,647 rows. Got " +
                         std::to_string(n_rows) + ". Train on fewer rows.");
    const EdgeWeights units = EdgeWeights::make(weights, n_rows, settings.min_data_in_bin);
    std::vector<FoundEdges> found = find_edges(columns, units, settings.max_bins - 1, n_threads);
    std::vector<std::vector<double>> edges;
    std::vector<bool> has_missing;
    edges.reserve(found.size());
    for (FoundEdges& column : found) {
        edges.push_back(std::move(column.edges));
        has_missing.push_back(column.has_missing);
    }
    return std::make_shared<const BinMapper>(std::move(edges), std::move(has_missing));
}

BinMapper::BinMapper(std::vector<std::vector<double>> edges, std::vector<bool> has_missing)
    : edges_(std::move(edges)), has_missing_(std::move(has_missing)), search_(edges_.size()) {
    if (edges_.size() != has_missing_.size())
        throw InputError("edges and has_missing must have one entry for each feature. Got " +
                         std::to_string(edges_.size()) + " and " +
                         std::to_string(has_missing_.size()) + ".");
    for (std::size_t j = 0; j < edges_.size(); ++j) {
        const std::vector<double>& keys = edges_[j];
        if (keys.size() > 65533)
            throw InputError("A column may have at most 65533 edges. Column " + std::to_string(j) +
                             " has " + std::to_string(keys.size()) + ".");
        for (std::size_t i = 0; i < keys.size(); ++i)
            if (keys[i] != keys[i] || (i > 0 && !(keys[i - 1] < keys[i])))
                throw InputError("Edges must be numbers in ascending order. Edge " +
                                 std::to_string(i) + " of column " + std::to_string(j) + " is " +
                                 std::to_string(keys[i]) + ".");
        search_[j].assign(keys.data(), static_cast<int>(keys.size()));
    }
}

} // namespace ceiba
