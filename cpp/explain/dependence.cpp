#include "explain/dependence.hpp"

#include "base/errors.hpp"
#include "parallel/pool.hpp"

#include <algorithm>
#include <utility>

namespace ceiba {

namespace {

constexpr std::int64_t kSlabValues = std::int64_t{1} << 22; // values read at a time
constexpr std::int64_t kSlabRows = 65536;

void check(const Question& question, std::int64_t n_features) {
    if (question.axes.empty() || question.axes.size() > 2)
        throw InputError("A question must have one or two columns.");
    for (const GridAxis& axis : question.axes)
        if (axis.feature < 0 || axis.feature >= n_features || axis.points.empty())
            throw InputError("A question needs a column of the forest and at least one point.");
    if (question.n_cells() > (std::int64_t{1} << 30))
        throw InputError("A grid has at most 2^30 cells.");
}

} // namespace

DependenceSums::DependenceSums(const Forest& forest, std::vector<Question> questions)
    : forest_(forest), questions_(std::move(questions)),
      trees_(static_cast<std::size_t>(forest.n_trees())),
      place_(static_cast<std::size_t>(forest.n_features()), -1) {
    for (const Question& question : questions_) check(question, forest.n_features());
    const TreeArrays& a = forest.arrays();
    std::vector<bool> uses(place_.size());
    for (std::size_t t = 0; t < trees_.size(); ++t) {
        uses.assign(uses.size(), false);
        for (std::int64_t i = a.tree_offsets[t]; i < a.tree_offsets[t + 1]; ++i) {
            const std::int32_t feature = a.feature[i];
            if (feature < 0) continue;
            uses[feature] = true;
            if (place_[feature] >= 0) continue;
            place_[feature] = static_cast<std::int32_t>(used_.size());
            used_.push_back(feature);
        }
        for (std::size_t q = 0; q < questions_.size(); ++q) {
            const auto& axes = questions_[q].axes;
            if (std::any_of(axes.begin(), axes.end(),
                            [&](const GridAxis& axis) { return uses[axis.feature]; }))
                trees_[t].asked_by.push_back(static_cast<std::int32_t>(q));
        }
        const auto n_nodes = static_cast<std::size_t>(a.tree_offsets[t + 1] - a.tree_offsets[t]);
        trees_[t].weight.assign((trees_[t].asked_by.size() + 1) * n_nodes, 0.0);
    }
}

void DependenceSums::read(const RowSource& rows, std::int64_t first_row, std::int64_t n_rows,
                          std::int64_t stride, double* values, int n_threads) const {
    const auto n_used = static_cast<std::int64_t>(used_.size());
    parallel_for(useful_threads(n_threads, n_rows * n_used), n_used, [&](std::int64_t place) {
        read_values(rows.column(used_[place]), first_row, n_rows, values + place * stride);
    });
}

void DependenceSums::add(const RowSource& rows, const double* weights, int n_threads) {
    const auto n_used = std::max<std::int64_t>(1, static_cast<std::int64_t>(used_.size()));
    const std::int64_t n_blocks = (rows.n_rows() + kDependenceRows - 1) / kDependenceRows;
    std::int64_t slab = std::clamp(kSlabValues / n_used, std::int64_t{kDependenceRows}, kSlabRows);
    slab = std::min(slab / kDependenceRows, std::max<std::int64_t>(1, n_blocks)) * kDependenceRows;
    std::vector<double> values(static_cast<std::size_t>(slab * n_used));
    for (std::int64_t first = 0; first < rows.n_rows(); first += slab) {
        const std::int64_t n_rows = std::min(slab, rows.n_rows() - first);
        read(rows, first, n_rows, slab, values.data(), n_threads);
        const double* own = weights == nullptr ? nullptr : weights + first;
        parallel_for(
            useful_threads(n_threads, n_rows * forest_.n_trees()), forest_.n_trees(),
            [&](std::int64_t tree) { count_tree(tree, values.data(), slab, n_rows, own); });
    }
    if (weights == nullptr) total_ += static_cast<double>(rows.n_rows());
    for (std::int64_t row = 0; weights != nullptr && row < rows.n_rows(); ++row)
        total_ += weights[row];
}

void DependenceSums::count_tree(std::int64_t number, const double* values, std::int64_t stride,
                                std::int64_t n_rows, const double* weights) {
    Tree& tree = trees_[number];
    TreeWalk walk(forest_, place_);
    walk.enter(number);
    // Points are the same for all blocks.
    std::vector<std::vector<DependenceNode>> nodes(tree.asked_by.size() + 1);
    for (std::size_t q = 0; q < nodes.size(); ++q) {
        walk.ask(asked(tree, q));
        nodes[q] = walk.nodes;
    }
    for (std::int64_t first = 0; first < n_rows; first += kDependenceRows) {
        walk.go_left(values + first, stride);
        double* sums = tree.weight.data();
        for (std::size_t q = 0; q < nodes.size(); ++q, sums += walk.n_nodes) {
            walk.nodes.swap(nodes[q]);
            walk.spread(first_rows(n_rows - first));
            for (std::int32_t i = 0; i < walk.n_nodes; ++i) {
                if (!walk.is_leaf(i)) continue;
                if (weights == nullptr)
                    sums[i] += static_cast<double>(walk.kernels.count(walk.reach[i]));
                else
                    for_each_row(walk.reach[i], [&](int row) { sums[i] += weights[first + row]; });
            }
            walk.nodes.swap(nodes[q]);
        }
    }
}

void DependenceSums::training() {
    const auto& count = forest_.arrays().count;
    TreeWalk walk(forest_, place_);
    for (std::size_t t = 0; t < trees_.size(); ++t) {
        walk.enter(static_cast<std::int64_t>(t));
        double* share = trees_[t].weight.data();
        for (std::size_t q = 0; q <= trees_[t].asked_by.size(); ++q, share += walk.n_nodes) {
            walk.ask(asked(trees_[t], q));
            share[0] = 1.0;
            for (std::int32_t i = 0; i < walk.n_nodes; ++i) {
                const DependenceNode node = walk.nodes[i];
                if (node.left < 0) continue;
                const double here = count[walk.first + i], left = count[walk.first + node.left];
                // A node without rows weights both children by one half.
                const double part = here > 0 ? left / here : 0.5;
                share[node.left] = node.asked ? share[i] : share[i] * part;
                share[node.right] = node.asked ? share[i] : share[i] * (1.0 - part);
            }
        }
    }
    total_ = 1.0;
}

std::vector<double> DependenceSums::average(std::size_t question) const {
    const std::int64_t n_outputs = forest_.n_outputs(), width = forest_.leaf_width();
    const std::int64_t n_cells = questions_.at(question).n_cells();
    std::vector<double> sums(static_cast<std::size_t>(n_cells * n_outputs), 0.0), of_tree;
    TreeWalk walk(forest_, place_);
    for (std::size_t t = 0; t < trees_.size(); ++t) {
        const Tree& tree = trees_[t];
        const auto found = std::find(tree.asked_by.begin(), tree.asked_by.end(), question);
        const bool asks = found != tree.asked_by.end();
        const auto place = static_cast<std::size_t>(asks ? found - tree.asked_by.begin() + 1 : 0);
        walk.enter(static_cast<std::int64_t>(t));
        walk.ask(asked(tree, place));
        const double* weight = tree.weight.data() + place * static_cast<std::size_t>(walk.n_nodes);
        of_tree.assign(static_cast<std::size_t>(n_cells * width), 0.0);
        std::vector<PointRun> runs{{0, static_cast<std::int32_t>(n_cells)}};
        for (std::int32_t i = 0; i < walk.n_nodes; ++i) {
            if (!walk.is_leaf(i)) continue;
            if (asks) runs = walk.runs(i);
            for (std::int64_t k = 0; k < width; ++k) {
                const double added = weight[i] * walk.value(i)[k];
                for (const PointRun& run : runs)
                    for (std::int64_t cell = run.begin; cell < run.end; ++cell)
                        of_tree[cell * width + k] += added;
            }
        }
        double* own = sums.data() + output_of(t);
        for (std::int64_t cell = 0; cell < n_cells; ++cell)
            for (std::int64_t k = 0; k < width; ++k)
                own[cell * n_outputs + k] += of_tree[cell * width + k];
    }
    for (double& sum : sums) sum /= total_;
    return sums;
}

} // namespace ceiba
