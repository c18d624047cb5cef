// Partial dependence of single rows. A tree is a step function of a column, so its steps are added
// to the row's points as differences, and summed at the end.
#include "explain/dependence.hpp"
#include "parallel/pool.hpp"

#include <algorithm>

namespace ceiba {

namespace {

constexpr int kBlocks = 4; // per task; they share the preparation of a tree and a grid
constexpr std::size_t kTrees = 64;

struct Leaf {
    std::int32_t node;
    std::vector<PointRun> runs;
};

} // namespace

void DependenceSums::individual(const RowSource& rows, const std::vector<double*>& out,
                                int n_threads) const {
    constexpr std::int64_t kRows = kBlocks * kDependenceRows;
    const auto n_used = std::max<std::size_t>(1, used_.size());
    const int threads = useful_threads(n_threads, rows.n_rows() * forest_.n_trees());
    parallel_for(threads, (rows.n_rows() + kRows - 1) / kRows, [&](std::int64_t task) {
        const std::int64_t first = task * kRows, n = std::min(kRows, rows.n_rows() - first);
        std::vector<double> values(n_used * kRows);
        read(rows, first, n, kRows, values.data(), 1);
        std::vector<double*> own;
        for (std::size_t q = 0; q < questions_.size(); ++q) {
            const std::int64_t size = questions_[q].n_cells() * forest_.n_outputs();
            own.push_back(out[q] + first * size);
            std::fill_n(own[q], n * size, 0.0);
        }
        add_rows(values.data(), n, own);
    });
}

// n_rows rows with values column after column. Trees that do not split a question's columns add the
// same to all its points, summed separately in `base`. Trees are processed in groups, then question
// after question, so that the scores of one question stay in the cache.
void DependenceSums::add_rows(const double* values, std::int64_t n_rows,
                              const std::vector<double*>& out) const {
    const int n_blocks = static_cast<int>((n_rows + kDependenceRows - 1) / kDependenceRows);
    std::vector<std::vector<double>> base(questions_.size());
    for (auto& own : base) own.assign(static_cast<std::size_t>(n_rows * forest_.n_outputs()), 0.0);
    std::vector<TreeWalk> walks(kTrees, TreeWalk(forest_, place_));
    for (std::size_t first = 0; first < trees_.size(); first += kTrees) {
        const std::size_t end = std::min(trees_.size(), first + kTrees);
        for (std::size_t t = first; t < end; ++t) {
            TreeWalk& walk = walks[t - first];
            walk.enter(static_cast<std::int64_t>(t), n_blocks);
            for (int block = 0; block < n_blocks; ++block)
                walk.go_left(values + block * kDependenceRows, kBlocks * kDependenceRows, block);
            if (trees_[t].asked_by.size() < questions_.size()) add_base(t, walk, n_rows, base);
        }
        for (std::size_t q = 0; q < questions_.size(); ++q)
            for (std::size_t t = first; t < end; ++t)
                if (asks(t, q)) add_steps(t, q, walks[t - first], n_rows, out[q]);
    }
    for (std::size_t q = 0; q < questions_.size(); ++q)
        sum_steps(base[q].data(), n_rows, questions_[q].n_cells(), out[q]);
}

void DependenceSums::add_base(std::size_t tree, TreeWalk& walk, std::int64_t n_rows,
                              std::vector<std::vector<double>>& base) const {
    const std::int64_t n_outputs = forest_.n_outputs(), width = forest_.leaf_width();
    std::vector<double> of_row(static_cast<std::size_t>(kBlocks * kDependenceRows * width));
    walk.ask(nullptr);
    for (std::int64_t first = 0; first < n_rows; first += kDependenceRows) {
        walk.spread(first_rows(n_rows - first), static_cast<int>(first / kDependenceRows));
        for (std::int32_t i = 0; i < walk.n_nodes; ++i) {
            if (!walk.is_leaf(i)) continue;
            for_each_row(walk.reach[i], [&](int row) {
                std::copy_n(walk.value(i), width, of_row.data() + (first + row) * width);
            });
        }
    }
    for (std::size_t q = 0; q < questions_.size(); ++q) {
        if (asks(tree, q)) continue;
        double* own = base[q].data() + output_of(tree);
        for (std::int64_t row = 0; row < n_rows; ++row)
            for (std::int64_t k = 0; k < width; ++k)
                own[row * n_outputs + k] += of_row[row * width + k];
    }
}

void DependenceSums::add_steps(std::size_t tree, std::size_t q, TreeWalk& walk, std::int64_t n_rows,
                               double* out) const {
    const std::int64_t n_outputs = forest_.n_outputs(), width = forest_.leaf_width();
    const std::int64_t n_cells = questions_[q].n_cells();
    walk.ask(&questions_[q]);
    std::vector<Leaf> leaves;
    for (std::int32_t i = 0; i < walk.n_nodes; ++i)
        if (walk.is_leaf(i)) leaves.push_back({i, walk.runs(i)});
    for (std::int64_t first = 0; first < n_rows; first += kDependenceRows) {
        walk.spread(first_rows(n_rows - first), static_cast<int>(first / kDependenceRows));
        double* own = out + first * n_cells * n_outputs + output_of(tree);
        for (const Leaf& leaf : leaves)
            for (std::int64_t k = 0; k < width; ++k)
                walk.kernels.step(walk.reach[leaf.node], leaf.runs.data(),
                                  static_cast<int>(leaf.runs.size()), walk.value(leaf.node)[k],
                                  n_cells, n_outputs, own + k);
    }
}

void DependenceSums::sum_steps(const double* base, std::int64_t n_rows, std::int64_t n_cells,
                               double* out) const {
    const std::int64_t n_outputs = forest_.n_outputs();
    for (std::int64_t row = 0; row < n_rows; ++row, out += n_cells * n_outputs)
        for (std::int64_t k = 0; k < n_outputs; ++k) {
            double sum = *base++;
            for (std::int64_t cell = 0; cell < n_cells; ++cell)
                out[cell * n_outputs + k] = sum += out[cell * n_outputs + k];
        }
}

} // namespace ceiba
