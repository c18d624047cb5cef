#include "data/encoding/explained_share.hpp"

#include <algorithm>
#include <vector>

namespace ceiba {
namespace {

constexpr std::int64_t kTile = 256, kMostTiles = 256;
// A column whose variance falls below this fraction by elimination is a combination of others.
constexpr double kNothing = 1e-9;

double dot(const double* a, const double* b, std::int64_t n) {
    double sums[4] = {};
    std::int64_t i = 0;
    for (; i + 4 <= n; i += 4)
        for (int k = 0; k < 4; ++k) sums[k] += a[i + k] * b[i + k];
    for (; i < n; ++i) sums[0] += a[i] * b[i];
    return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

// Columns of a block of rows: column(k)[i].
class Tile {
  public:
    explicit Tile(std::size_t n_columns) : values_(n_columns * kTile) {}
    double* column(std::size_t k) { return values_.data() + k * kTile; }
    const double* column(std::size_t k) const { return values_.data() + k * kTile; }

  private:
    std::vector<double> values_;
};

// Sums of products of pairs of columns.
class Products {
  public:
    explicit Products(std::size_t n) : n_(n), sums_(n * n, 0.0) {}
    double& at(std::size_t i, std::size_t j) { return sums_[std::min(i, j) * n_ + std::max(i, j)]; }

    // weighted: the columns of `tile` times the row weights.
    void add(const Tile& tile, const Tile& weighted, std::int64_t n) {
        for (std::size_t i = 0; i < n_; ++i)
            for (std::size_t j = i; j < n_; ++j)
                at(i, j) += dot(weighted.column(i), tile.column(j), n);
    }
    // Eliminates column k from the columns after it.
    void eliminate(std::size_t k) {
        const double own = at(k, k);
        for (std::size_t i = k + 1; i < n_; ++i) {
            const double factor = at(k, i) / own;
            for (std::size_t j = i; j < n_; ++j) at(i, j) -= factor * at(k, j);
        }
    }

  private:
    std::size_t n_;
    std::vector<double> sums_;
};

struct Explained {
    double by_own = 0.0, total = 0.0;
};

// Columns: the constant 1, those of the other combinations, the own ones, the target.
Explained of_target(std::size_t t, const double* own, std::span<const double* const> others,
                    std::size_t n_priors, const TargetRows& rows, double target_unit,
                    double weight_unit) {
    const std::size_t width = n_priors + 1, first_own = 1 + others.size() * width,
                      target = first_own + width, n_columns = target + 1;
    const auto n_rows = static_cast<std::size_t>(rows.n_rows);
    const std::int64_t* targets = rows.targets.data() + t * n_rows;
    Tile tile(n_columns), weighted(n_columns);
    Products products(n_columns);
    const std::int64_t n_tiles = std::min(kMostTiles, (rows.n_rows + kTile - 1) / kTile);
    for (std::int64_t k = 0; k < n_tiles; ++k) {
        const std::int64_t first = k * rows.n_rows / n_tiles,
                           n = std::min(kTile, (k + 1) * rows.n_rows / n_tiles - first);
        const auto fill = [&](std::size_t column, const double* values) {
            for (std::size_t p = 0; p < n_priors; ++p)
                std::copy_n(values + (t * n_priors + p) * n_rows + first, n,
                            tile.column(column + p));
            const double* of_key = values + rows.n_targets() * n_priors * n_rows + first;
            std::transform(of_key, of_key + n, tile.column(column + n_priors),
                           [](double weight) { return 1.0 / (1.0 + weight); });
        };
        for (std::size_t other = 0; other < others.size(); ++other)
            fill(1 + other * width, others[other]);
        fill(first_own, own);
        for (std::int64_t i = 0; i < n; ++i) {
            const auto row = static_cast<std::int32_t>(first + i);
            const double weight = static_cast<double>(rows.weight(row)) * weight_unit;
            tile.column(0)[i] = 1.0;
            tile.column(target)[i] = static_cast<double>(targets[row]) * target_unit / weight;
            for (std::size_t c = 0; c < n_columns; ++c)
                weighted.column(c)[i] = weight * tile.column(c)[i];
        }
        products.add(tile, weighted, n);
    }
    products.eliminate(0);
    std::vector<double> spread;
    for (std::size_t c = 0; c < n_columns; ++c) spread.push_back(products.at(c, c));
    Explained found{0.0, spread[target]};
    for (std::size_t c = 1; c < target; ++c) {
        const double left = products.at(c, c), common = products.at(c, target);
        if (!(left > kNothing * spread[c])) continue;
        if (c >= first_own) found.by_own += common * common / left;
        products.eliminate(c);
    }
    return found;
}

} // namespace

double explained_share(const double* own, std::span<const double* const> others,
                       std::size_t n_priors, const TargetRows& rows,
                       std::span<const double> target_units, double weight_unit, bool are_classes) {
    Explained all;
    for (std::size_t t = 0; t < rows.n_targets(); ++t) {
        const Explained one =
            of_target(t, own, others, n_priors, rows, target_units[t], weight_unit);
        if (!(one.total > 0.0)) continue; // a constant target
        all.by_own += are_classes ? one.by_own : one.by_own / one.total;
        all.total += are_classes ? one.total : 1.0;
    }
    return all.total > 0.0 ? all.by_own / all.total : 0.0;
}

} // namespace ceiba
