// The statistics of the rows of a node, where splits gain by linear models (gradient/linear_model.hpp).
//
// The gradient of a row at the model of its node is g + h f(row); it and the moments of the basis
// become integers in units that hold for the whole tree. Hessians and counts are those that the rows
// were packed with at first. A node is packed before its histogram is summed: the words of a row side by
// side (rows/moments.hpp), and the rows in the order in which the node has them.
#pragma once

#include "data/coded/binned.hpp"
#include "gradient/linear_model.hpp"
#include "gradient/quantize.hpp"
#include "rows/histogram.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace ceiba {

// What the stored codes of columns stand for (columns may share codes).
class BinnedRegressors {
  public:
    BinnedRegressors(const BinnedMatrix& binned, const BinValues& values);
    // Of the rows of a piece, times a factor, added to out[i].
    void add(int feature, double factor, const RowRange& piece, double* out) const;

  private:
    const BinnedMatrix* binned_;
    std::vector<std::vector<double>> of_stored_; // by feature and stored code
};

// How real numbers become the words of planes: of gradients, and of products with the basis.
struct MomentScales {
    double gradient = 1, gradient_limit = 0;
    double product_gradient = 1, product_hessian = 1, product_limit = 0;
};

// The model of a node, and what of it children may change.
struct NodeWords {
    int node = 0;
    const LinearModel* model = nullptr;
    const Basis* basis = nullptr;
    MomentScales scales;
};

// Packs a piece of the rows of a node to entries; adds the sum of the words of each plane but the second
// to `sums`. pairs: what rows were packed with at first.
void pack_linear(const GradientView& view, const WeightFacts& weights, const Pair* pairs,
                 const BinnedRegressors& regressors, const NodeWords& order, const RowRange& piece,
                 std::uint64_t* entries, std::span<std::int64_t> sums);

} // namespace ceiba
