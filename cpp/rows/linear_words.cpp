#include "rows/linear_words.hpp"

#include "rows/moments.hpp"

#include <algorithm>
#include <cmath>

namespace ceiba {

namespace {

constexpr std::int64_t kTile = 512;

// Rows of a tile: their numbers, gradients at the model, hessians and functions of the basis.
struct Tile {
    double gradient[kTile], hessian[kTile];
    std::vector<double> functions;

    explicit Tile(int n_basis) : functions(static_cast<std::size_t>(n_basis * kTile)) {}
    double* function(int a) { return functions.data() + a * kTile; }
};

std::int64_t row_at(const RowRange& piece, std::int64_t i) {
    return piece.rows == nullptr ? piece.begin + i : piece.rows[piece.begin + i];
}

} // namespace

BinnedRegressors::BinnedRegressors(const BinnedMatrix& binned, const BinValues& values)
    : binned_(&binned), of_stored_(values.size()) {
    for (std::size_t f = 0; f < values.size(); ++f) {
        const auto feature = static_cast<int>(f);
        if (values[f].empty() || binned.home(feature).stored < 0) continue;
        const std::vector<Code> meanings = binned.meanings(feature);
        of_stored_[f] = values[f];
        if (meanings.empty()) continue;
        of_stored_[f].clear();
        for (const Code code : meanings)
            of_stored_[f].push_back(values[f][static_cast<std::size_t>(code)]);
    }
}

void BinnedRegressors::add(int feature, double factor, const RowRange& piece, double* out) const {
    const double* values = of_stored_[static_cast<std::size_t>(feature)].data();
    const std::int64_t n = piece.end - piece.begin;
    binned_->with_column(feature, [&](const auto* codes) {
        if (piece.rows == nullptr)
            for (std::int64_t i = 0; i < n; ++i) out[i] += factor * values[codes[piece.begin + i]];
        else
            for (std::int64_t i = 0; i < n; ++i)
                out[i] += factor * values[codes[piece.rows[piece.begin + i]]];
    });
}

void pack_linear(const GradientView& view, const WeightFacts& weights, const Pair* pairs,
                 const BinnedRegressors& regressors, const NodeWords& order, const RowRange& piece,
                 std::uint64_t* entries, std::span<std::int64_t> sums) {
    const LinearModel& model = *order.model;
    const MomentScales& scales = order.scales;
    const int n_basis = order.basis->n(), n_words = n_entry_words(n_moment_planes(n_basis));
    const bool before = weights.multiply_before(), after = weights.multiply_after();
    Tile tile(n_basis);
    for (std::int64_t begin = piece.begin; begin < piece.end;
         begin += kTile, entries += kTile * n_words) {
        const RowRange part{piece.rows, begin, std::min(piece.end, begin + kTile)};
        const std::int64_t n = part.end - part.begin;
        double* slopes = tile.gradient; // first the sum of the regressors
        std::fill_n(slopes, n, 0.0);
        for (const LinearTerm& term : model.terms)
            regressors.add(term.feature, term.slope, part, slopes);
        for (int a = 0; a < n_basis; ++a) {
            const double scale = 1 / order.basis->scales[static_cast<std::size_t>(a)];
            double* own = tile.function(a);
            if (order.basis->fit == LinearFit::half_additive) {
                for (std::int64_t i = 0; i < n; ++i) own[i] = slopes[i] * scale;
                continue;
            }
            std::fill_n(own, n, 0.0);
            regressors.add(model.terms[static_cast<std::size_t>(a)].feature, scale, part, own);
        }
        for (std::int64_t i = 0; i < n; ++i) {
            const std::int64_t row = row_at(part, i);
            const double weight = before ? weights.weights[row] : 1.0,
                         hessian =
                             view.hessians != nullptr ? view.hessians[row] : view.constant_hessian;
            tile.hessian[i] = hessian * weight;
            tile.gradient[i] =
                (view.gradients[row] + hessian * (model.intercept + slopes[i])) * weight;
            entries[i * n_words + 1] = pairs[row].rest;
        }
        auto write = [&](int plane, double scale, double limit, auto&& value) {
            std::int64_t sum = 0;
            for (std::int64_t i = 0; i < n; ++i) {
                const std::int64_t word =
                    std::llrint(std::min(std::max(value(i) * scale, -limit), limit));
                entries[i * n_words + plane] = static_cast<std::uint64_t>(word);
                sum += word;
            }
            if (after) {
                sum = 0;
                for (std::int64_t i = 0; i < n; ++i) {
                    std::uint64_t& word = entries[i * n_words + plane];
                    word *= static_cast<std::uint64_t>(weights.weights[row_at(part, i)]);
                    sum += static_cast<std::int64_t>(word);
                }
            }
            sums[static_cast<std::size_t>(plane)] += sum;
        };
        write(0, scales.gradient, scales.gradient_limit,
              [&](std::int64_t i) { return tile.gradient[i]; });
        auto write_product = [&](int plane, double scale, auto&& value) {
            write(plane, scale, scales.product_limit, value);
        };
        for (int a = 0; a < n_basis; ++a) {
            const double* of_a = tile.function(a);
            write_product(plane_of_gradient(a), scales.product_gradient,
                          [&](std::int64_t i) { return tile.gradient[i] * of_a[i]; });
            write_product(plane_of_hessian(n_basis, a), scales.product_hessian,
                          [&](std::int64_t i) { return tile.hessian[i] * of_a[i]; });
            for (int b = 0; b <= a; ++b) {
                const double* of_b = tile.function(b);
                write_product(plane_of_product(n_basis, a, b), scales.product_hessian,
                              [&](std::int64_t i) { return tile.hessian[i] * of_a[i] * of_b[i]; });
            }
        }
    }
}

} // namespace ceiba
