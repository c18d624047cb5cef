// Packs the statistics of a node's rows for splits by linear gain (gradient/linear_model.hpp).
//
// The gradient of a row at the model of its node is g + h f(row). It and the moments of the basis
// become integers in units that hold for the whole tree. Hessians and counts are those of the first
// packing. A node is packed before its histogram is summed: the words of a row are contiguous
// (rows/moments.hpp), and rows are in the order of the node.
#pragma once

#include "data/coded/binned.hpp"
#include "gradient/linear_model.hpp"
#include "gradient/quantize.hpp"
#include "rows/histogram.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace ceiba {

// The regressor values of the stored codes of columns (columns may share codes).
class BinnedRegressors {
  public:
    BinnedRegressors(const BinnedMatrix& binned, const BinValues& values);
    // out[i] += factor times the value of the i-th row of the piece.
    void add(int feature, double factor, const RowRange& piece, double* out) const;

  private:
    const BinnedMatrix* binned_;
    std::vector<std::vector<double>> of_stored_; // by feature and stored code
};

// Scales from real numbers to the words of planes: of gradients, and of products with the basis.
struct MomentScales {
    double gradient = 1, gradient_limit = 0;
    double product_gradient = 1, product_hessian = 1, product_limit = 0;
};

// The model of a node, and the basis that its children may change.
struct NodeWords {
    int node = 0;
    const LinearModel* model = nullptr;
    const Basis* basis = nullptr;
    MomentScales scales;
};

// Pack a piece of the rows of a node to entries; add the sum of the words of each plane but the
// second to `sums`. pairs: words of the first packing.
void pack_linear(const GradientView& view, const WeightFacts& weights, const Pair* pairs,
                 const BinnedRegressors& regressors, const NodeWords& order, const RowRange& piece,
                 std::uint64_t* entries, std::span<std::int64_t> sums);

} // namespace ceiba
