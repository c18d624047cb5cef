#include "model/collected_trees.hpp"

#include "base/errors.hpp"

#include <string>
#include <utility>

namespace ceiba {

CollectedTrees::CollectedTrees(std::int64_t n_features, std::int64_t n_outputs,
                               const Forest* before, std::int64_t n_parallel)
    : n_features_(n_features), n_outputs_(n_outputs) {
    if (before != nullptr && before->n_trees() > 0) {
        if (before->n_features() != n_features || before->n_outputs() != n_outputs)
            throw InputError("The previous forest must have the same features and outputs.");
        if (before->arrays().n_parallel != n_parallel)
            throw InputError("The previous forest must have as many trees in parallel.");
        arrays_ = before->shared_arrays();
        return;
    }
    auto none = std::make_shared<TreeArrays>(join({}, n_parallel));
    own_ = none.get();
    arrays_ = std::move(none);
}

void CollectedTrees::add(const TreeArrays& trees) {
    if (own_ == nullptr || arrays_.use_count() > 1) {
        auto copy = std::make_shared<TreeArrays>(*arrays_);
        own_ = copy.get();
        arrays_ = std::move(copy);
    }
    extend(*own_, trees);
}

std::unique_ptr<Forest> CollectedTrees::forest(std::int64_t n_iterations) const {
    if (n_iterations < 0 || n_iterations > this->n_iterations())
        throw InputError("There are " + std::to_string(this->n_iterations()) +
                         " iterations of trees. Got " + std::to_string(n_iterations) + ".");
    if (n_iterations > 0 && n_iterations == this->n_iterations())
        return std::make_unique<Forest>(arrays_, n_features_, n_outputs_);
    const std::int64_t n_trees = n_iterations * arrays_->trees_per_iteration(n_outputs_);
    return std::make_unique<Forest>(slice(*arrays_, 0, n_trees), n_features_, n_outputs_);
}

} // namespace ceiba
