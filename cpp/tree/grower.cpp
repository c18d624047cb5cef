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
      n_threads_(std::max(1, n_threads)) {
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
    if (!table_.has_codes && !(plan_.sketch_eps > 0))
        throw InputError("A grower needs a binned table, or sketch_eps to propose candidates from "
                         "ranked columns.");
    const int n_features = mapper().n_features();
    if (ranked != nullptr &&
        (ranked->n_rows() != table_.n_rows || ranked->n_features() != n_features))
        throw InputError("the ranked columns must be those of the binned table, " +
                         std::to_string(table_.n_rows) + " x " + std::to_string(n_features) +
                         ". Got " + std::to_string(ranked->n_rows()) + " x " +
                         std::to_string(ranked->n_features()) + ".");
    const BinnedMatrix* of_leaves = table_.of_leaves.get();
    if (of_leaves != nullptr &&
        (binned == nullptr || ranked != nullptr || of_leaves->n_rows() != table_.n_rows ||
         of_leaves->n_features() != n_features))
        throw InputError("leaves can have the rows of another table only where trees are grown on "
                         "bins in this process, and the other has the same rows and columns.");
    const Regressors* regressors = table_.regressors.get();
    if (regressors != nullptr &&
        (regressors->n_rows() != table_.n_rows || regressors->n_features() != n_features))
        throw InputError("the regressors of lines must be those of the binned table.");
    if (plan_.linear_leaves && (regressors == nullptr || plan_.is_monotone()))
        throw InputError("lines in leaves need regressors, and no monotone columns.");
    // Exact splits divide bins, so they need codes even for columns with a single bin.
    if (ranked != nullptr && binned != nullptr && !(plan_.sketch_eps > 0))
        for (int feature = 0; feature < n_features; ++feature)
            if (binned->home(feature).stored < 0)
                throw InputError("exact splits need a table with codes of every column: build it "
                                 "with lists=False.");
    const auto n_columns = static_cast<std::size_t>(n_features);
    for (const std::size_t n :
         {plan_.columns.monotone.size(), plan_.columns.weights.size(), plan_.columns.kinds.size()})
        if (n != 0 && n != n_columns)
            throw InputError("rules of columns must have one entry for each of the " +
                             std::to_string(n_columns) + " columns. Got " + std::to_string(n) +
                             ".");
}

// Stores the rows of each sample and their weights times multipliers.
void Grower::select(std::span<const GrowSample> samples) {
    selections_.clear();
    takes_all_rows_.assign(samples.size(), false);
    facts_.assign(samples.size(), all_facts_);
    multiplied_.resize(std::max(multiplied_.size(), samples.size()));
    for (std::size_t i = 0; i < samples.size(); ++i) {
        const GrowSample& sample = samples[i];
        RowSelection selection{sample.all_rows, sample.rows, {}};
        if (sample.facts) facts_[i] = *sample.facts;
        facts_[i].sample = static_cast<int>(i);
        if (!sample.multipliers.empty()) {
            Buffer<double>& own = multiplied_[i];
            const double largest = multiply_weights(weights_, selection, sample.multipliers,
                                                    table_.n_rows, n_threads_, own);
            const bool counts = plan_.weighted_counts;
            if (!sample.repeats)
                facts_[i] = {own.data(), false, false, largest};
            else
                facts_[i] = selection.all
                                ? WeightFacts::of(own.data(), table_.n_rows, counts, n_threads_)
                                : WeightFacts::of(own.data(), selection.rows, counts, n_threads_);
            facts_[i].sample = static_cast<int>(i);
        }
        takes_all_rows_[i] =
            plan_.leaves_of_all_rows && (!sample.all_rows || !sample.multipliers.empty());
        selection.weights = facts_[i];
        selections_.push_back(selection);
    }
}

void Grower::grow(std::span<const GradientView> views, std::span<const GrowSample> samples) {
    if (!table_.binned && !table_.make_exchange)
        throw InputError("this grower has no table to grow trees on. It can only adopt trees.");
    if (samples.empty() || views.empty())
        throw InputError("there must be a sample of rows, and gradients.");
    ++n_grown_;
    select(samples);
    const std::size_t n_views = views.size();
    const std::size_t n_of_sample = trees_of_sample(n_views);
    const auto n_trees = static_cast<std::int64_t>(n_of_sample * samples.size());
    trees_.resize(n_of_sample * samples.size());
    // Grow as many trees in parallel as there are threads; remaining trees share the threads
    // within a tree. Remote rows (make_exchange) are queried for one tree after the other.
    const bool one_at_a_time = table_.make_exchange || n_trees < n_threads_;
    const std::int64_t together = one_at_a_time ? 0 : n_trees / n_threads_ * n_threads_;
    const int n_slots = together > 0 ? n_threads_ : 1;
    while (static_cast<int>(growers_.size()) < n_slots)
        growers_.push_back(
            table_.make_exchange
                ? std::make_unique<TreeGrower>(*table_.mapper, table_.make_exchange(), plan_)
                : std::make_unique<TreeGrower>(*table_.binned, table_.ranked, plan_));
    auto grow_one = [&](std::int64_t tree, int slot, int n_threads) {
        const auto number = static_cast<std::size_t>(tree), of = number / n_of_sample,
                   output = number % n_of_sample;
        std::vector<GradientView> own(views.begin(), views.end());
        if (!plan_.vector_leaves) own = {views[output]};
        for (GradientView& view : own) {
            if (!plan_.unit_hessians) continue;
            view.hessians = nullptr;
            view.constant_hessian = 1;
        }
        const GrowSample& sample = samples[of];
        growers_[static_cast<std::size_t>(slot)]->grow(
            own, selections_[of], {plan_.seed, sample.round, sample.member * n_of_sample + output},
            sample.noise.empty() ? 0.0 : sample.noise[output], n_threads, trees_[number]);
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
    take_all_rows(views);
}

// Leaves are fitted to all rows: recompute what depends on the sampled rows.
void Grower::take_all_rows(std::span<const GradientView> views) {
    std::int64_t repeats = -1;
    for (std::size_t t = 0; t < trees_.size(); ++t) {
        const std::size_t sample = t / trees_of_sample(views.size());
        trees_[t].knows_extent = !takes_all_rows(sample);
        if (!takes_all_rows(sample)) continue;
        if (repeats < 0)
            repeats = measure_rows(views[0], {true, {}, all_facts_}, n_threads_).repeats;
        facts_[sample] = all_facts_;
        trees_[t].repeats = static_cast<double>(repeats);
    }
}

} // namespace ceiba
