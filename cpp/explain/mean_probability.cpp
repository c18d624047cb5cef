// Partial dependence of probabilities: the mean of the sigmoids of all rows' scores at each point.
//
// The life of a sum, for a block of 512 rows:
//   1. Compute the side of every row at every split as bits, once for all questions, and the value
//      that each tree adds to the unchanged rows.
//   2. Question by question: rows that reach a split of the question lose the tree's value, and the
//      leaves below such splits add differences to their points instead (see
//      individual_dependence.cpp). Other rows need no work. The splits, leaves and points of a tree
//      for a question are planned once for all blocks.
//   3. Sum the differences to scores and convert them to probabilities, point by point
//      (add_sigmoids).
#include "explain/dependence.hpp"
#include "parallel/pool.hpp"

#include <algorithm>
#include <cmath>
#include <mutex>
#include <utility>

namespace ceiba {

namespace {

constexpr double kUnits = 0x1p-40; // unit of probabilities
constexpr std::int64_t kPlannedLeaves = std::int64_t{1}
                                        << 20; // of questions that are planned at a time

struct Leaf {
    std::int32_t node, n_runs;
    std::int64_t first_run;
    double value;
};

struct PlannedTree {
    std::int64_t tree;
    std::vector<DependenceNode> nodes; // `dead` nodes lead to no split of the question
    std::vector<std::int32_t> asked;   // its topmost splits of the question
    std::int64_t first_leaf, end_leaf;
};

} // namespace

struct DependenceSums::QuestionPlan {
    std::vector<PlannedTree> trees; // those with splits of the question
    std::vector<Leaf> leaves;
    std::vector<PointRun> runs;
};

DependenceSums::QuestionPlan DependenceSums::planned(std::size_t question) const {
    QuestionPlan plan;
    TreeWalk walk(forest_, place_);
    for (std::size_t t = 0; t < trees_.size(); ++t) {
        if (!asks(t, question)) continue;
        walk.enter(static_cast<std::int64_t>(t));
        walk.ask(&questions_[question]);
        PlannedTree tree{static_cast<std::int64_t>(t), walk.nodes, {}, std::ssize(plan.leaves), 0};
        const auto n_nodes = static_cast<std::size_t>(walk.n_nodes);
        std::vector<bool> below(n_nodes), leads(n_nodes);
        for (std::size_t i = 0; i < n_nodes; ++i) {
            const DependenceNode& node = walk.nodes[i];
            leads[i] = node.asked;
            if (node.asked && !below[i]) tree.asked.push_back(static_cast<std::int32_t>(i));
            if (node.left < 0) continue;
            below[static_cast<std::size_t>(node.left)] = below[i] || node.asked;
            below[static_cast<std::size_t>(node.right)] = below[i] || node.asked;
        }
        for (std::size_t i = n_nodes; i-- > 0;) { // children come after their parent
            const DependenceNode& node = walk.nodes[i];
            if (node.left >= 0)
                leads[i] = leads[i] || leads[static_cast<std::size_t>(node.left)] ||
                           leads[static_cast<std::size_t>(node.right)];
            if (!below[i] && !leads[i]) tree.nodes[i].dead = true;
        }
        for (std::int32_t i = 0; i < walk.n_nodes; ++i) {
            if (!walk.is_leaf(i) || !below[static_cast<std::size_t>(i)]) continue;
            const std::vector<PointRun> runs = walk.runs(i);
            plan.leaves.push_back({i, static_cast<std::int32_t>(runs.size()), std::ssize(plan.runs),
                                   walk.value(i)[0]});
            plan.runs.insert(plan.runs.end(), runs.begin(), runs.end());
        }
        tree.end_leaf = std::ssize(plan.leaves);
        plan.trees.push_back(std::move(tree));
    }
    return plan;
}

void DependenceSums::add_probabilities(const RowSource& rows, const Probability& rule,
                                       const double* weights, int n_threads) {
    if (sums_.empty()) {
        unit_ = kUnits * std::exp2(std::ceil(std::log2(rule.largest)));
        for (const Question& question : questions_)
            sums_.emplace_back(static_cast<std::size_t>(question.n_cells()));
    }
    const std::int64_t n_blocks = (rows.n_rows() + kDependenceRows - 1) / kDependenceRows;
    const int threads = useful_threads(n_threads, rows.n_rows() * forest_.n_trees());
    std::mutex mutex;
    for (std::size_t first = 0; first < questions_.size();) {
        std::vector<QuestionPlan> plans;
        std::int64_t n_leaves = 0, n_cells = 0;
        while (first + plans.size() < questions_.size() && n_leaves < kPlannedLeaves) {
            n_cells += questions_[first + plans.size()].n_cells();
            plans.push_back(planned(first + plans.size()));
            n_leaves += std::ssize(plans.back().runs);
        }
        parallel_for(threads, n_blocks, [&](std::int64_t block) {
            std::vector<double> sums(static_cast<std::size_t>(n_cells));
            add_block(plans, first, rule, rows, block * kDependenceRows, weights, sums);
            const std::scoped_lock lock(mutex); // integer sums, so the order does not matter
            const double* own = sums.data();
            for (std::size_t q = first; q < first + plans.size(); ++q)
                for (WideInt& sum : sums_[q]) sum += static_cast<WideInt>(*own++ / unit_);
        });
        first += plans.size();
    }
    if (weights == nullptr) total_ += static_cast<double>(rows.n_rows());
    for (std::int64_t row = 0; weights != nullptr && row < rows.n_rows(); ++row)
        total_ += weights[row];
}

void DependenceSums::add_block(std::span<const QuestionPlan> plans, std::size_t first_question,
                               const Probability& rule, const RowSource& rows,
                               std::int64_t first_row, const double* weights,
                               std::vector<double>& sums) const {
    const auto n_used = std::max<std::size_t>(1, used_.size());
    const std::int64_t n_rows = std::min<std::int64_t>(kDependenceRows, rows.n_rows() - first_row);
    std::vector<double> values(n_used * kDependenceRows);
    read(rows, first_row, n_rows, kDependenceRows, values.data(), 1);
    double counted[kDependenceRows] = {}, total[kDependenceRows], scores[kDependenceRows];
    std::fill_n(total, kDependenceRows, rule.start);
    for (std::int64_t row = 0; row < n_rows; ++row)
        counted[row] = weights == nullptr ? 1.0 : weights[first_row + row];

    const auto& offsets = forest_.arrays().tree_offsets;
    std::vector<RowBits> left(static_cast<std::size_t>(offsets.back()));
    std::vector<double> added(trees_.size() * kDependenceRows); // per tree
    TreeWalk walk(forest_, place_);
    for (std::size_t t = 0; t < trees_.size(); ++t) {
        walk.enter(static_cast<std::int64_t>(t));
        RowBits* own = left.data() + offsets[t];
        walk.find_left(values.data(), kDependenceRows, own);
        walk.ask(nullptr);
        walk.reach[0] = first_rows(n_rows);
        walk.kernels.spread(walk.nodes.data(), walk.n_nodes, own, walk.reach.data());
        double* of_tree = added.data() + t * kDependenceRows;
        for (std::int32_t i = 0; i < walk.n_nodes; ++i) {
            if (!walk.is_leaf(i)) continue;
            const double value = walk.value(i)[0];
            for_each_row(walk.reach[static_cast<std::size_t>(i)],
                         [&](int row) { of_tree[row] = value; });
        }
        for (int row = 0; row < kDependenceRows; ++row) total[row] += of_tree[row];
    }
    std::vector<double> steps;
    double* of_question = sums.data();
    for (std::size_t q = 0; q < plans.size(); ++q) {
        const QuestionPlan& plan = plans[q];
        const std::int64_t n_cells = questions_[first_question + q].n_cells();
        steps.resize(std::max(steps.size(), static_cast<std::size_t>(n_cells * kDependenceRows)));
        for (const PlannedTree& tree : plan.trees) {
            if (walk.reach.size() < tree.nodes.size()) walk.reach.resize(tree.nodes.size());
            walk.reach[0] = first_rows(n_rows);
            walk.kernels.spread(tree.nodes.data(), static_cast<int>(tree.nodes.size()),
                                left.data() + offsets[static_cast<std::size_t>(tree.tree)],
                                walk.reach.data());
            const double* of_tree =
                added.data() + static_cast<std::size_t>(tree.tree) * kDependenceRows;
            for (const std::int32_t asked : tree.asked)
                for_each_row(walk.reach[static_cast<std::size_t>(asked)], [&](int row) {
                    steps[static_cast<std::size_t>(row)] -= of_tree[row];
                });
            for (std::int64_t l = tree.first_leaf; l < tree.end_leaf; ++l) {
                const Leaf& leaf = plan.leaves[static_cast<std::size_t>(l)];
                walk.kernels.step_across(walk.reach[static_cast<std::size_t>(leaf.node)],
                                         plan.runs.data() + leaf.first_run, leaf.n_runs, leaf.value,
                                         n_cells, steps.data());
            }
        }
        std::copy_n(total, kDependenceRows, scores);
        walk.kernels.add_sigmoids(steps.data(), n_cells, scores, rule.scale, counted, unit_,
                                  of_question);
        of_question += n_cells;
    }
}

std::vector<double> DependenceSums::probability(std::size_t question) const {
    std::vector<double> means;
    for (const WideInt sum : sums_.at(question))
        means.push_back(static_cast<double>(sum) * unit_ / total_);
    return means;
}

} // namespace ceiba
