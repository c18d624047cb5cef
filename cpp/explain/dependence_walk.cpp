#include "explain/dependence_walk.hpp"

#include "base/cpu.hpp"
#include "data/decision.hpp"
#include "model/level.hpp"

#include <algorithm>
#include <utility>

namespace ceiba {

namespace {

std::int64_t words_of(std::size_t n_points) {
    return static_cast<std::int64_t>((n_points + 63) / 64);
}

bool has(const std::uint64_t* words, std::size_t point) {
    return (words[point / 64] >> (point % 64) & 1) != 0;
}

bool is_left(const TreeArrays& a, std::int64_t node, double x) {
    if (x != x) return a.missing_left[node] != 0;
    if (a.splits_by_set(node))
        return is_in(a.set_at(node), static_cast<std::uint64_t>(level_of(x)));
    return x <= a.threshold[node];
}

// Append the runs of set points, moved by `offset`.
void add_runs(const std::uint64_t* words, std::size_t n_points, std::size_t offset,
              std::vector<PointRun>& runs) {
    for (std::size_t p = 0; p < n_points;) {
        if (!has(words, p)) {
            ++p;
            continue;
        }
        const std::size_t begin = p;
        while (p < n_points && has(words, p)) ++p;
        runs.push_back(
            {static_cast<std::int32_t>(offset + begin), static_cast<std::int32_t>(offset + p)});
    }
}

} // namespace

const DependenceKernels& dependence_kernels() {
    return use_avx2() ? avx2::kDependenceKernels : baseline::kDependenceKernels;
}

std::int64_t Question::n_cells() const {
    std::int64_t n = 1;
    for (const GridAxis& axis : axes) n *= static_cast<std::int64_t>(axis.points.size());
    return n;
}

int Question::axis_of(std::int32_t feature) const {
    for (std::size_t axis = 0; axis < axes.size(); ++axis)
        if (axes[axis].feature == feature) return static_cast<int>(axis);
    return -1;
}

RowBits first_rows(std::int64_t n_rows) {
    RowBits bits{};
    for (int word = 0; word < kDependenceWords; ++word) {
        const std::int64_t n = std::clamp<std::int64_t>(n_rows - word * 64, 0, 64);
        bits.words[word] = n == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << n) - 1;
    }
    return bits;
}

void TreeWalk::enter(std::int64_t tree, int n_blocks) {
    first = arrays_.tree_offsets[tree];
    n_nodes = static_cast<std::int32_t>(arrays_.tree_offsets[tree + 1] - first);
    const auto n = static_cast<std::size_t>(n_nodes);
    nodes.resize(n);
    goes_left_.resize(n * static_cast<std::size_t>(n_blocks));
    reach.resize(n);
}

void TreeWalk::go_left(const double* values, std::int64_t stride, int block) {
    find_left(values, stride, goes_left_.data() + block * n_nodes);
}

void TreeWalk::find_left(const double* values, std::int64_t stride, RowBits* out) const {
    for (std::int32_t i = 0; i < n_nodes; ++i) {
        const std::int64_t node = first + i;
        if (arrays_.feature[node] < 0) continue;
        const double* column = values + place_[arrays_.feature[node]] * stride;
        RowBits& bits = out[i];
        if (!arrays_.splits_by_set(node)) {
            kernels.compare(column, arrays_.threshold[node], arrays_.missing_left[node] != 0, bits);
            continue;
        }
        bits = RowBits{};
        for (int row = 0; row < kDependenceRows; ++row)
            bits.words[row / 64] |= static_cast<std::uint64_t>(is_left(arrays_, node, column[row]))
                                    << (row % 64);
    }
}

void TreeWalk::ask(const Question* question) {
    question_ = question;
    for (std::int32_t i = 0; i < n_nodes; ++i)
        nodes[i] = {arrays_.left[first + i], arrays_.right[first + i], false, false};
    if (question == nullptr) return;
    n_words_ = 0;
    for (const GridAxis& axis : question->axes) n_words_ += words_of(axis.points.size());
    points_.assign(static_cast<std::size_t>(n_words_ * n_nodes), 0);
    std::uint64_t* root = points_.data();
    for (const GridAxis& axis : question->axes) {
        for (std::size_t p = 0; p < axis.points.size(); ++p)
            root[p / 64] |= std::uint64_t{1} << (p % 64);
        root += words_of(axis.points.size());
    }
    for (std::int32_t i = 0; i < n_nodes; ++i) {
        DependenceNode& node = nodes[i];
        if (node.left < 0) continue;
        std::copy_n(points_of(i), n_words_, points_of(node.left));
        std::copy_n(points_of(i), n_words_, points_of(node.right));
        const int axis = question->axis_of(arrays_.feature[first + i]);
        node.asked = axis >= 0;
        auto [any_left, any_right] = node.asked ? part_points(i, axis) : std::pair{true, true};
        nodes[node.left].dead = node.dead || !any_left;
        nodes[node.right].dead = node.dead || !any_right;
    }
}

std::pair<bool, bool> TreeWalk::part_points(std::int32_t node, int axis) {
    const std::vector<double>& points = question_->axes[axis].points;
    const std::int64_t begin = axis == 0 ? 0 : words_of(question_->axes[0].points.size());
    const std::uint64_t* here = points_of(node) + begin;
    std::uint64_t* left = points_of(nodes[node].left) + begin;
    std::uint64_t* right = points_of(nodes[node].right) + begin;
    std::pair any{false, false};
    for (std::size_t p = 0; p < points.size(); ++p) {
        if (!has(here, p)) continue;
        const bool goes = is_left(arrays_, first + node, points[p]);
        // As named pointers: GCC 12's shift sanitizer evaluates a condition on the left of &=
        // wrongly.
        std::uint64_t* without = goes ? right : left;
        without[p / 64] &= ~(std::uint64_t{1} << (p % 64));
        (goes ? any.first : any.second) = true;
    }
    return any;
}

void TreeWalk::spread(const RowBits& rows, int block) {
    reach[0] = rows;
    kernels.spread(nodes.data(), n_nodes, goes_left_.data() + block * n_nodes, reach.data());
}

std::vector<PointRun> TreeWalk::runs(std::int32_t leaf) const {
    std::vector<PointRun> found;
    const std::uint64_t* words = points_.data() + leaf * n_words_;
    const std::size_t n_first = question_->axes[0].points.size();
    if (question_->axes.size() == 1) {
        add_runs(words, n_first, 0, found);
        return found;
    }
    const std::size_t n_second = question_->axes[1].points.size();
    for (std::size_t p = 0; p < n_first; ++p)
        if (has(words, p)) add_runs(words + words_of(n_first), n_second, p * n_second, found);
    return found;
}

} // namespace ceiba
