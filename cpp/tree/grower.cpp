#include "tree/grower.hpp"

#include "base/errors.hpp"
#include "parallel/pool.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace ceiba {

Grower::Grower(GrowerTable table, const GrowPlan& plan, std::vector<double> weights, int n_threads)
    : table_(std::move(table)), plan_(plan), weights_(std::move(weights)),
      all_facts_(WeightFacts::of(weights_.empty() ? nullptr : weights_.data(), table_.n_rows,
                                 plan.weighted_counts, n_threads)),
      facts_(all_facts_), n_threads_(std::max(1, n_threads)) {
    check_table();
}

void Grower::check_table() const {
    const BinnedMatrix* binned = table_.binned.get();
    const RankedColumns* ranked = table_.ranked.get();
    if (binned == nullptr && !table_.mapper) return;
    if (binned != nullptr && binned->has_new_missing())
        throw InputError("trees cannot be grown on this table: a column has missing values, but "
                         "its bins were found on a table without "
                         "any. Find the bins on the table that is trained on.");
    const int n_features = mapper().n_features();
    if (ranked != nullptr &&
        (ranked->n_rows() != table_.n_rows || ranked->n_features() != n_features))
        throw InputError("the ranked columns must be those of the binned table, " +
                         std::to_string(table_.n_rows) + " x " + std::to_string(n_features) +
                         ". Got " + std::to_string(ranked->n_rows()) + " x " +
                         std::to_string(ranked->n_features()) + ".");
    const auto n_columns = static_cast<std::size_t>(n_features);
    for (const std::size_t n :
         {plan_.columns.monotone.size(), plan_.columns.weights.size(), plan_.columns.kinds.size()})
        if (n != 0 && n != n_columns)
            throw InputError("rules of columns must have one entry for each of the " +
                             std::to_string(n_columns) + " columns. Got " + std::to_string(n) +
                             ".");
}

// What the weights of the selected rows are, with their multipliers.
void Grower::select(RowSelection& selection, const Multipliers& multipliers) {
    facts_ = all_facts_;
    if (!multipliers.values.empty()) {
        const double largest = multiply_weights(weights_, selection, multipliers.values,
                                                table_.n_rows, n_threads_, multiplied_);
        const double* multiplied = multiplied_.data();
        const bool counts = plan_.weighted_counts;
        if (!multipliers.repeats)
            facts_ = {multiplied, false, false, largest};
        else
            facts_ = selection.all
                         ? WeightFacts::of(multiplied, table_.n_rows, counts, n_threads_)
                         : WeightFacts::of(multiplied, selection.rows, counts, n_threads_);
    }
    selection.weights = facts_;
}

void Grower::grow(std::span<const GradientView> views, std::span<const std::int32_t> rows,
                  bool all_rows, const Multipliers& multipliers, std::uint64_t round) {
    if (!table_.binned && !table_.make_exchange)
        throw InputError("this grower has no table to grow trees on. It can only adopt trees.");
    ++n_grown_;
    RowSelection selection{all_rows, rows, {}};
    select(selection, multipliers);
    const auto n_trees = static_cast<std::int64_t>(views.size());
    trees_.resize(views.size());
    // As many trees at the same time as there are threads; what is left over shares the threads
    // within a tree. Rows that are elsewhere are asked about one tree after the other.
    const bool one_at_a_time = table_.make_exchange || n_trees < n_threads_;
    const std::int64_t together = one_at_a_time ? 0 : n_trees / n_threads_ * n_threads_;
    const int n_slots = together > 0 ? n_threads_ : 1;
    while (static_cast<int>(growers_.size()) < n_slots)
        growers_.push_back(
            table_.make_exchange
                ? std::make_unique<TreeGrower>(*table_.mapper, table_.make_exchange(), plan_)
                : std::make_unique<TreeGrower>(*table_.binned, table_.ranked, plan_));
    auto grow_one = [&](std::int64_t tree, int slot, int n_threads) {
        GradientView view = views[static_cast<std::size_t>(tree)];
        if (plan_.unit_hessians) {
            view.hessians = nullptr;
            view.constant_hessian = 1;
        }
        growers_[static_cast<std::size_t>(slot)]->grow(
            view, selection, {plan_.seed, round, static_cast<std::uint64_t>(tree)}, n_threads,
            trees_[static_cast<std::size_t>(tree)]);
    };
    if (n_threads_ > 1 && together > 0) {
        parallel_for(n_threads_, n_slots, [&](std::int64_t slot) {
            for (std::int64_t tree = slot; tree < together; tree += n_slots)
                grow_one(tree, static_cast<int>(slot), 1);
        });
        for (std::int64_t tree = together; tree < n_trees; ++tree) grow_one(tree, 0, n_threads_);
    } else {
        for (std::int64_t tree = 0; tree < n_trees; ++tree) grow_one(tree, 0, n_threads_);
    }
}

} // namespace ceiba
