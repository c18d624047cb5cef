#include "leaf/linear_leaves.hpp"

#include "base/cpu.hpp"
#include "leaf/inner_values.hpp"
#include "leaf/linear_columns.hpp"
#include "leaf/linear_solve.hpp"
#include "split/gain.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ceiba {

const LinearKernels& linear_kernels() {
    return use_avx2() ? avx2::kLinearKernels : baseline::kLinearKernels;
}

namespace {

// Rows of a stretch: enough that most leaves have a few blocks in it.
constexpr std::int64_t kStretchRows = 64 * kLinearRows, kRowsOfLeaf = 2 * kLinearRows;
constexpr double kSmallestReach = 1e-280, kLargestReach = 1e280; // so that products stay finite

bool is_finite(double x) {
    return x - x == 0;
}

ColumnRange no_range() {
    constexpr double kNone = std::numeric_limits<double>::infinity();
    return {0, 0, kNone, -kNone};
}

void merge(const ColumnRange& from, ColumnRange& to) {
    to.sum += from.sum;
    to.count += from.count;
    to.low = std::min(to.low, from.low);
    to.high = std::max(to.high, from.high);
}

// Inputs are scaled by 2^bits, and so are the squares.
void add_squares(const double* gradients, const double* hessians, const std::int64_t* times, int n,
                 int bits, std::int64_t* sums) {
    const double unit = power_of_two(-bits);
    for (int row = 0; row < n; ++row) {
        const std::int64_t repeats = times != nullptr ? times[row] : 1;
        sums[0] += std::llrint(gradients[row] * (gradients[row] * unit)) * repeats;
        sums[1] += std::llrint(hessians[row] * (hessians[row] * unit)) * repeats;
    }
}

} // namespace

TreeLinearLeaves::TreeLinearLeaves(const GrownTree& tree, const Regressors& regressors,
                                   const WeightFacts& weights, const GrowPlan& plan,
                                   std::int64_t width, int n_threads, LinearScratch room)
    : tree_(tree), weights_(weights), plan_(plan), width_(width), n_threads_(n_threads),
      rows_(std::move(room.rows)), values_(std::move(room.values)) {
    std::vector<std::vector<std::int32_t>> columns = linear_columns(tree, regressors, plan);
    for (std::size_t i = 0; i < columns.size(); ++i) {
        if (columns[i].empty() || tree.nodes[i].n_rows < 1) continue;
        LinearPart line{static_cast<int>(i), 0, {}, {}};
        for (const std::int32_t feature : columns[i]) {
            line.regressors.push_back({feature, n_values_});
            n_values_ += tree.nodes[i].n_rows;
        }
        linear_leaves_.push_back(std::move(line));
    }
    if (linear_leaves_.empty()) {
        rows_ = {};
        return;
    }
    values_.need(static_cast<std::size_t>(n_values_));
    bits_ = std::min(kLinearBits, 62 - exponent_above(std::max(1.0, tree.repeats)));
    weight_bits_ = weights.multiply_before() ? exponent_above(weights.largest) : 0;
    tree.rows->rows_of_leaves(n_threads, rows_);
    measure(regressors);
}

// Pieces of all leaves, including those without a linear part, which also add to scores.
void TreeLinearLeaves::cut_pieces() {
    struct Place {
        int node;
        std::int64_t line, next; // next: the first row that is in no piece yet
    };
    std::vector<Place> places;
    std::size_t l = 0;
    std::int32_t last_row = -1;
    for (std::size_t node = 0; node + 1 < rows_.begins.size(); ++node) {
        while (l < linear_leaves_.size() && linear_leaves_[l].node < static_cast<int>(node)) ++l;
        const bool has =
            l < linear_leaves_.size() && linear_leaves_[l].node == static_cast<int>(node);
        const std::int64_t begin = rows_.begins[node], end = rows_.begins[node + 1];
        if (begin == end) continue;
        places.push_back({static_cast<int>(node), has ? static_cast<std::int64_t>(l) : -1, begin});
        last_row = std::max(last_row, rows_.rows[static_cast<std::size_t>(end) - 1]);
    }
    const std::int64_t stretch = std::max(kStretchRows, kRowsOfLeaf * std::ssize(places));
    const std::int32_t* rows = rows_.rows.data();
    pieces_.clear();
    stretches_.assign(1, 0);
    for (std::int64_t row = 0; row <= last_row; row += stretch) {
        for (Place& place : places) {
            const auto node = static_cast<std::size_t>(place.node);
            const std::int64_t begin = place.next,
                               most = std::min(rows_.begins[node + 1], begin + stretch);
            place.next = std::lower_bound(rows + begin, rows + most, row + stretch) - rows;
            if (place.next > begin)
                pieces_.push_back(
                    {place.node, place.line, begin, place.next, begin - rows_.begins[node]});
        }
        stretches_.push_back(pieces_.size());
    }
}

// The largest power of two for which sums of the column do not overflow.
double TreeLinearLeaves::scale_of(const Regressors& regressors, std::int32_t feature) const {
    const double largest = regressors.largest(feature);
    return power_of_two(std::clamp(
        bits_ - weight_bits_ - (largest > 0 ? exponent_above(largest) : 0), -1000, 1000));
}

void TreeLinearLeaves::measure(const Regressors& regressors) {
    cut_pieces();
    std::vector<std::vector<ColumnRange>> parts(pieces_.size());
    std::vector<std::int64_t> repeats(pieces_.size(), 0);
    for_each_piece(n_threads_, 4, [&](std::size_t at) {
        const std::int64_t line = pieces_[at].line;
        if (line < 0) return;
        parts[at].assign(linear_leaves_[static_cast<std::size_t>(line)].regressors.size(),
                         no_range());
        measure_piece(regressors, pieces_[at], parts[at], repeats[at]);
    });
    std::vector<std::vector<ColumnRange>> ranges;
    for (const LinearPart& line : linear_leaves_)
        ranges.emplace_back(line.regressors.size(), no_range());
    for (std::size_t p = 0; p < pieces_.size(); ++p) {
        if (pieces_[p].line < 0) continue;
        const auto l = static_cast<std::size_t>(pieces_[p].line);
        for (std::size_t k = 0; k < ranges[l].size(); ++k) merge(parts[p][k], ranges[l][k]);
        linear_leaves_[l].repeats += repeats[p];
    }
    std::vector<LinearPart> kept;
    const bool weighted = weights_.multiply_after() && weights_.counted;
    for (std::size_t l = 0; l < linear_leaves_.size(); ++l) {
        LinearPart& line = linear_leaves_[l];
        for (std::size_t k = 0; k < ranges[l].size(); ++k) {
            const double scale = scale_of(regressors, line.regressors[k].feature);
            line.regressors[k].scale = scale;
        }
        settle(line, ranges[l]);
        const auto n = std::ssize(line.regressors);
        const std::int64_t n_rows =
            weighted ? line.repeats : tree_.nodes[static_cast<std::size_t>(line.node)].n_rows;
        if (n == 0 || n_rows < 2 * (1 + n)) continue;
        line.slopes.assign(static_cast<std::size_t>(n * width_), 0.0);
        kept.push_back(std::move(line));
    }
    linear_leaves_ = std::move(kept);
    cut_pieces();
}

void TreeLinearLeaves::measure_piece(const Regressors& regressors, const Piece& piece,
                                     std::span<ColumnRange> out, std::int64_t& repeats) {
    const LinearPart& line = linear_leaves_[static_cast<std::size_t>(piece.line)];
    const bool before = weights_.multiply_before(), after = weights_.multiply_after();
    const std::int32_t* rows = rows_.rows.data() + piece.begin;
    const std::int64_t n = piece.size();
    repeats = n;
    if (after) {
        repeats = 0;
        for (std::int64_t i = 0; i < n; ++i)
            repeats += static_cast<std::int64_t>(weights_.weights[rows[i]]);
    }
    const double of_weight = power_of_two(bits_ - weight_bits_);
    for (std::size_t k = 0; k < out.size(); ++k) {
        const Regressor& regressor = line.regressors[k];
        const double* column = regressors.column(regressor.feature);
        const double scale = scale_of(regressors, regressor.feature);
        // Each piece writes to its own range.
        double* own = values_.data() + regressor.first + piece.first;
        for (std::int64_t i = 0; i < n; ++i) own[i] = column[rows[i]];
        ColumnRange& range = out[k];
        if (weights_.weights == nullptr) {
            linear_kernels().measure(own, n, scale, range);
            continue;
        }
        for (std::int64_t i = 0; i < n; ++i) {
            const double x = own[i], weight = weights_.weights[rows[i]];
            if (!is_finite(x)) continue;
            const std::int64_t times = after ? static_cast<std::int64_t>(weight) : 1;
            range.sum += std::llrint((before ? x * weight : x) * scale) * times;
            range.count += before ? std::llrint(weight * of_weight) : times;
            range.low = x < range.low ? x : range.low;
            range.high = x > range.high ? x : range.high;
        }
    }
}

// `scale` of a regressor is that of the value sums before this call and that of the moments after
// it.
void TreeLinearLeaves::settle(LinearPart& line, std::span<const ColumnRange> ranges) const {
    std::vector<Regressor> kept;
    for (std::size_t k = 0; k < ranges.size(); ++k) {
        Regressor own = line.regressors[k];
        const ColumnRange& range = ranges[k];
        if (!(range.low < range.high) || range.count <= 0) continue;
        const double of_weight =
            weights_.multiply_before() ? power_of_two(bits_ - weight_bits_) : 1.0;
        const double mean = static_cast<double>(range.sum) / own.scale /
                            (static_cast<double>(range.count) / of_weight);
        own.mean = std::clamp(mean, range.low, range.high);
        own.low = range.low;
        own.high = range.high;
        const double reach = std::max(own.high - own.mean, own.mean - own.low);
        if (!(reach > kSmallestReach && reach < kLargestReach)) continue;
        own.scale = power_of_two(-exponent_above(reach));
        kept.push_back(own);
    }
    line.regressors = std::move(kept);
}

void TreeLinearLeaves::add_moments(const Piece& piece, const GradientView& view,
                                   double gradient_scale, double hessian_scale, int bits,
                                   std::int64_t* sums) const {
    const LinearPart& line = linear_leaves_[static_cast<std::size_t>(piece.line)];
    const int n = static_cast<int>(line.regressors.size()) + 1;
    std::vector<double> columns(static_cast<std::size_t>(kLinearRows * n), 0.0);
    double gradients[kLinearRows], hessians[kLinearRows];
    std::int64_t times[kLinearRows] = {};
    std::fill_n(columns.begin(), kLinearRows, 1.0);
    const bool before = weights_.multiply_before(), after = weights_.multiply_after();
    for (std::int64_t at = 0; at < piece.size(); at += kLinearRows) {
        const auto n_rows =
            static_cast<int>(std::min<std::int64_t>(kLinearRows, piece.size() - at));
        const std::int32_t* rows = rows_.rows.data() + piece.begin + at;
        const int filled = (n_rows + kLinearStep - 1) / kLinearStep * kLinearStep;
        for (int row = n_rows; row < filled; ++row) // padding rows count as 0
            gradients[row] = hessians[row] = 0.0;
        for (int row = 0; row < n_rows; ++row) {
            gradients[row] = view.gradients[rows[row]] * gradient_scale;
            hessians[row] =
                (view.hessians != nullptr ? view.hessians[rows[row]] : view.constant_hessian) *
                hessian_scale;
        }
        if (before || after) {
            for (int row = 0; row < n_rows; ++row) {
                const double weight = weights_.weights[rows[row]];
                times[row] = static_cast<std::int64_t>(weight);
                gradients[row] *= before ? weight : 1.0;
                hessians[row] *= before ? weight : 1.0;
            }
        }
        if (plan_.shrink_slopes)
            add_squares(gradients, hessians, after ? times : nullptr, n_rows, bits,
                        sums + (n + 1) * n);
        for (int k = 1; k < n; ++k) {
            const Regressor& own = line.regressors[static_cast<std::size_t>(k) - 1];
            linear_kernels().center(values_.data() + own.first + piece.first + at, n_rows, own.mean,
                                    own.scale, columns.data() + k * kLinearRows);
        }
        linear_kernels().add_moments(
            {columns.data(), gradients, hessians, after ? times : nullptr, n, filled}, sums);
    }
}

void TreeLinearLeaves::fit(const GradientView& view, const Extent& extent, std::int64_t output,
                           double rate, double smallest, std::span<double> values) {
    const int of_gradient = extent.gradient > 0 ? exponent_above(extent.gradient) : 0,
              of_hessian = extent.hessian > 0 ? exponent_above(extent.hessian) : 0;
    std::vector<std::vector<std::int64_t>> parts(pieces_.size()), sums(linear_leaves_.size());
    std::vector<int> bits(linear_leaves_.size());
    for (std::size_t l = 0; l < linear_leaves_.size(); ++l)
        bits[l] = std::min(kLinearBits,
                           62 - bits_for(static_cast<std::uint64_t>(linear_leaves_[l].repeats)));
    for_each_piece(n_threads_, 8, [&](std::size_t at) {
        if (pieces_[at].line < 0) return;
        const auto l = static_cast<std::size_t>(pieces_[at].line);
        const std::size_t n = linear_leaves_[l].regressors.size() + 1;
        parts[at].assign((n + 1) * n + 2, 0);
        add_moments(pieces_[at], view, power_of_two(bits[l] - of_gradient),
                    power_of_two(bits[l] - of_hessian), bits[l], parts[at].data());
    });
    for (std::size_t p = 0; p < pieces_.size(); ++p) {
        if (pieces_[p].line < 0) continue;
        std::vector<std::int64_t>& own = sums[static_cast<std::size_t>(pieces_[p].line)];
        if (own.empty()) own.assign(parts[p].size(), 0);
        for (std::size_t i = 0; i < own.size(); ++i) own[i] += parts[p][i];
    }
    for (std::size_t l = 0; l < linear_leaves_.size(); ++l)
        solve(linear_leaves_[l], sums[l].data(), power_of_two(of_gradient - bits[l]),
              power_of_two(of_hessian - bits[l]), bits[l], output, rate, smallest, values);
}

void TreeLinearLeaves::solve(LinearPart& line, const std::int64_t* sums, double gradient_unit,
                             double hessian_unit, int bits, std::int64_t output, double rate,
                             double smallest, std::span<double> values) const {
    const std::size_t k = line.regressors.size(), n = k + 1;
    const Node& node = tree_.nodes[static_cast<std::size_t>(line.node)];
    std::vector<double> gz(k), hz(k), hzz(k * k);
    const std::int64_t* gradients = sums + n * n;
    for (std::size_t i = 0; i < k; ++i) {
        gz[i] = static_cast<double>(gradients[i + 1]) * gradient_unit;
        hz[i] = static_cast<double>(sums[i + 1]) * hessian_unit;
        for (std::size_t j = i; j < k; ++j)
            hzz[i * k + j] = static_cast<double>(sums[(i + 1) * n + j + 1]) * hessian_unit;
    }
    LinearSums own{static_cast<double>(gradients[0]) * gradient_unit,
                   static_cast<double>(sums[0]) * hessian_unit, gz, hz, hzz};
    const std::int64_t* squares = gradients + n;
    const double of_square = power_of_two(bits);
    own.squared_gradients =
        static_cast<double>(squares[0]) * gradient_unit * gradient_unit * of_square;
    own.squared_hessians =
        static_cast<double>(squares[1]) * hessian_unit * hessian_unit * of_square;
    if (is_too_light(node, own.hessian, smallest)) return;
    const double lambda = plan_.reg_lambda + node.extra_l2;
    const std::vector<double> slopes =
        solve_linear(own, lambda, plan_.linear_lambda, plan_.shrink_slopes);
    if (slopes.empty()) return;
    std::vector<double> scaled(k);
    for (std::size_t i = 0; i < k; ++i) {
        scaled[i] = slopes[i] * line.regressors[i].scale * rate;
        if (!is_finite(scaled[i])) return;
        own.gradient += hz[i] * slopes[i];
    }
    for (std::size_t i = 0; i < k; ++i)
        line.slopes[i * static_cast<std::size_t>(width_) + static_cast<std::size_t>(output)] =
            scaled[i];
    values[static_cast<std::size_t>(line.node)] =
        best_constant(own.gradient, own.hessian, lambda, plan_.reg_alpha, plan_.step_limit()) *
        rate;
}

void TreeLinearLeaves::append(TreeArrays& arrays) const {
    std::size_t l = 0;
    if (arrays.linear_offsets.empty()) arrays.linear_offsets.push_back(0);
    for (std::size_t i = 0; i < tree_.nodes.size(); ++i) {
        if (l < linear_leaves_.size() && linear_leaves_[l].node == static_cast<int>(i)) {
            const LinearPart& line = linear_leaves_[l++];
            const bool any = std::any_of(line.slopes.begin(), line.slopes.end(),
                                         [](double slope) { return slope != 0; });
            for (std::size_t k = 0; any && k < line.regressors.size(); ++k) {
                const Regressor& own = line.regressors[k];
                arrays.linear_feature.push_back(own.feature);
                arrays.linear_mean.push_back(own.mean);
                arrays.linear_low.push_back(own.low);
                arrays.linear_high.push_back(own.high);
                const auto first = line.slopes.begin() + static_cast<std::int64_t>(k) * width_;
                arrays.linear_slope.insert(arrays.linear_slope.end(), first, first + width_);
            }
        }
        arrays.linear_offsets.push_back(arrays.n_terms());
    }
}

} // namespace ceiba
