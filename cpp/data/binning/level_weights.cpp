#include "data/binning/level_weights.hpp"

#include "data/binning/bin_mapper.hpp"

#include <algorithm>
#include <numeric>

namespace ceiba {

LevelWeights::LevelWeights(std::int64_t n_levels)
    : weight_of_(n_levels > BinMapper::kMostLevels ? static_cast<std::size_t>(n_levels) : 0, 0) {}

void LevelWeights::add(const Column& column, const double* weights, const EdgeWeights& units) {
    constexpr std::int64_t kTile = 4096;
    std::vector<double> values(static_cast<std::size_t>(kTile));
    for (std::int64_t begin = 0; begin < column.n_rows(); begin += kTile) {
        const std::int64_t n = std::min(kTile, column.n_rows() - begin);
        column.read(begin, n, values.data());
        for (std::int64_t i = 0; i < n; ++i) {
            const double value = values[static_cast<std::size_t>(i)];
            if (value != value)
                has_missing_ = true;
            else if (!weight_of_.empty())
                weight_of_[static_cast<std::size_t>(value)] +=
                    weights == nullptr ? 1 : units.units_of(weights[begin + i]);
        }
    }
}

void LevelWeights::merge(const LevelWeights& other) {
    has_missing_ = has_missing_ || other.has_missing_;
    for (std::size_t k = 0; k < weight_of_.size(); ++k) weight_of_[k] += other.weight_of_[k];
}

FoundEdges LevelWeights::found() const {
    FoundEdges found;
    found.has_missing = has_missing_;
    if (weight_of_.empty()) return found;
    std::vector<std::int64_t> order(weight_of_.size());
    std::iota(order.begin(), order.end(), 0);
    const auto kept = order.begin() + (BinMapper::kMostLevels - 1);
    std::nth_element(order.begin(), kept, order.end(), [&](std::int64_t a, std::int64_t b) {
        const auto wa = weight_of_[static_cast<std::size_t>(a)],
                   wb = weight_of_[static_cast<std::size_t>(b)];
        return wa != wb ? wa > wb : a < b;
    });
    found.edges.assign(order.begin(), kept);
    std::sort(found.edges.begin(), found.edges.end());
    return found;
}

} // namespace ceiba
