#include "model/forest.hpp"

#include "base/errors.hpp"
#include "model/check_forest.hpp"
#include "model/coded_forest.hpp"
#include "model/walker.hpp"
#include "parallel/pool.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace ceiba {

namespace {

// With fewer rows most of a group of 32 would be padding.
constexpr std::int64_t kFewRows = 4;
// Rows of one parallel task: a whole number of blocks. Large trees are loaded once per task, so
// tasks are as large as the number of threads and the cache allow.
constexpr std::int64_t kTaskRows = 8 * kBlockRows, kMostTaskRows = 64 * kBlockRows;

std::int64_t task_rows(const CodedForest& forest, std::int64_t n_rows, int n_threads) {
    if (!forest.has_large_trees()) return kTaskRows;
    const std::int64_t share = (n_rows + n_threads - 1) / n_threads,
                       n_tasks = (share + kMostTaskRows - 1) / kMostTaskRows,
                       size = (share + n_tasks - 1) / n_tasks;
    return std::max(kTaskRows, (size + kBlockRows - 1) / kBlockRows * kBlockRows);
}

} // namespace

Forest::Forest(std::shared_ptr<const TreeArrays> arrays, std::int64_t n_features,
               std::int64_t n_outputs)
    : arrays_(std::move(arrays)), n_features_(n_features), n_outputs_(n_outputs) {
    check_forest(*arrays_, n_features_, n_outputs_);
}

Forest::Forest(TreeArrays arrays, std::int64_t n_features, std::int64_t n_outputs)
    : n_features_(n_features), n_outputs_(n_outputs) {
    check_forest(arrays, n_features_, n_outputs_);
    // normalized, so that empty forests are equal
    if (arrays.n_trees() == 0) arrays.leaf_width = arrays.n_parallel = 1;
    arrays_ = std::make_shared<const TreeArrays>(std::move(arrays));
}

Forest::Forest(const Forest& other, std::span<const double> factors)
    : arrays_(other.arrays_), n_features_(other.n_features_), n_outputs_(other.n_outputs_) {
    if (arrays_->has_linear_leaves())
        throw InputError(
            "Factors do not apply to linear leaves. Multiply the trees before making a Forest.");
    if (std::ssize(factors) != n_iterations())
        throw InputError("There must be a factor for each of the " +
                         std::to_string(n_iterations()) + " iterations. Got " +
                         std::to_string(factors.size()) + ".");
    factors_.reserve(static_cast<std::size_t>(n_trees()));
    for (const double factor : factors)
        factors_.insert(factors_.end(), static_cast<std::size_t>(trees_per_iteration()), factor);
}

Forest::~Forest() = default;

TreeArrays Forest::slice(std::int64_t begin, std::int64_t end) const {
    check_range(begin, end);
    return ceiba::slice(*arrays_, begin * trees_per_iteration(), end * trees_per_iteration());
}

void Forest::check_range(std::int64_t begin, std::int64_t end) const {
    if (0 <= begin && begin <= end && end <= n_iterations()) return;
    throw InputError("A range of iterations must lie within 0 and " +
                     std::to_string(n_iterations()) + ". Got " + std::to_string(begin) + " to " +
                     std::to_string(end) + ".");
}

const Walker& Forest::walker() const {
    std::call_once(walker_made_, [this] {
        walker_ = std::make_unique<const Walker>(*arrays_, factors_, n_features_, n_outputs_);
    });
    return *walker_;
}

const CodedForest& Forest::coded() const {
    std::call_once(coded_made_, [this] {
        coded_ = std::make_unique<const CodedForest>(*arrays_, factors_, n_features_, n_outputs_);
    });
    return *coded_;
}

void Forest::add(const RowSource& rows, double* scores, std::int64_t begin, std::int64_t end,
                 int n_threads) const {
    check_range(begin, end);
    const std::int64_t first_tree = begin * trees_per_iteration(),
                       last_tree = end * trees_per_iteration(), n_rows = rows.n_rows();
    if (first_tree == last_tree || n_rows == 0) return;
    if (n_rows < kFewRows) return walker().add(rows, 0, n_rows, first_tree, last_tree, scores);
    const CodedForest& coded_forest = coded();
    const Walker* spare = coded_forest.needs_walker() ? &walker() : nullptr;
    n_threads = useful_threads(n_threads, n_rows * (last_tree - first_tree));
    const std::int64_t size = task_rows(coded_forest, n_rows, n_threads);
    parallel_for(n_threads, (n_rows + size - 1) / size, [&](std::int64_t task) {
        const std::int64_t first = task * size, last = std::min(n_rows, first + size);
        coded_forest.add(rows, first, last, first_tree, last_tree, spare,
                         scores + first * n_outputs_);
    });
}

void Forest::apply(const RowSource& rows, std::int32_t* leaves, std::int64_t begin,
                   std::int64_t end, int n_threads) const {
    check_range(begin, end);
    const std::int64_t first_tree = begin * trees_per_iteration(),
                       last_tree = end * trees_per_iteration(), n_rows = rows.n_rows();
    const std::int64_t n_trees = last_tree - first_tree;
    if (n_trees == 0 || n_rows == 0) return;
    if (n_rows < kFewRows)
        return walker().apply(rows, 0, n_rows, first_tree, last_tree, leaves, n_trees);
    const CodedForest& coded_forest = coded();
    const Walker* spare = coded_forest.needs_walker() ? &walker() : nullptr;
    n_threads = useful_threads(n_threads, n_rows * n_trees);
    const std::int64_t size = task_rows(coded_forest, n_rows, n_threads);
    parallel_for(n_threads, (n_rows + size - 1) / size, [&](std::int64_t task) {
        const std::int64_t first = task * size, last = std::min(n_rows, first + size);
        coded_forest.apply(rows, first, last, first_tree, last_tree, spare,
                           leaves + first * n_trees);
    });
}

} // namespace ceiba
