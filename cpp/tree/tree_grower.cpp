#include "tree/tree_grower.hpp"

#include "tree/approx_splits.hpp"
#include "tree/exact_splits.hpp"
#include "tree/growth_loop.hpp"
#include "tree/later_missing.hpp"
#include "tree/linear_splits.hpp"
#include "tree/prune.hpp"

namespace ceiba {

namespace {

std::unique_ptr<ApproxSearch> approx_search(const std::shared_ptr<const RankedColumns>& ranked,
                                            const GrowPlan& plan) {
    if (!ranked || !(plan.sketch_eps > 0)) return nullptr;
    return std::make_unique<ApproxSearch>(ranked, plan.sketch_eps,
                                          search_of(plan, true) == SearchKind::approx_node,
                                          plan.columns.kinds, plan.category);
}

} // namespace

TreeGrower::TreeGrower(const BinnedMatrix& binned,
                       const std::shared_ptr<const RankedColumns>& ranked, const GrowPlan& plan)
    : approx_(approx_search(ranked, plan)), mapper_(&binned.mapper()),
      exchange_(std::make_unique<LocalExchange>(approx_ ? approx_->binned() : binned, ranked.get(),
                                                approx_ && !approx_->by_node())),
      local_(static_cast<LocalExchange*>(exchange_.get())), tree_(plan),
      columns_(tree_, mapper_->n_features(), ranked ? nullptr : mapper_) {
    facts_.ranked = ranked != nullptr;
    facts_.lists = !approx_ && binned.lists().n_columns() > 0;
    facts_.shards = local_->shards().size() > 1;
    check_search(plan, facts_);
    make_search(ranked);
}

TreeGrower::TreeGrower(const BinMapper& mapper, std::unique_ptr<Exchange> exchange,
                       const GrowPlan& plan)
    : mapper_(&mapper), exchange_(std::move(exchange)), tree_(plan),
      columns_(tree_, mapper.n_features(), &mapper) {
    facts_.remote = true;
    check_search(plan, facts_);
    search_ = std::make_unique<HistogramSplits>(tree_, columns_, mapper, *exchange_, nullptr);
}

void TreeGrower::make_search(const std::shared_ptr<const RankedColumns>& ranked) {
    switch (search_of(tree_.plan, facts_.ranked)) {
    case SearchKind::hist: {
        auto search = std::make_unique<HistogramSplits>(tree_, columns_, *mapper_, *local_, local_);
        windows_ = std::make_unique<WindowGrowth>(tree_, columns_, *local_, *search);
        search_ = std::move(search);
        break;
    }
    case SearchKind::exact:
        search_ = std::make_unique<ExactSplits>(tree_, columns_, *local_, ranked);
        sorted_ = std::make_unique<SortedSplits>(tree_, columns_, *local_, ranked);
        break;
    case SearchKind::approx:
        search_ = std::make_unique<ApproxSplits>(tree_, columns_, *local_, *approx_);
        break;
    case SearchKind::approx_node:
        search_ = std::make_unique<ApproxNodeSplits>(tree_, columns_, *local_, *approx_);
        break;
    case SearchKind::linear:
        search_ = std::make_unique<LinearSplits>(tree_, columns_, *local_);
        break;
    }
}

void TreeGrower::grow(std::span<const GradientView> views, const RowSelection& selection,
                      const ColumnKey& key, double noise, int n_threads, GrownTree& tree) {
    facts_.noise = noise > 0;
    facts_.own_hessians = views.size() > 1 && views[0].hessians != nullptr;
    check_search(tree_.plan, facts_);
    tree_.start(key, noise, n_threads, tree.nodes);
    const bool in_sorted_rows = sorted_ && SortedSplits::serves(tree_, views);
    SplitSearch& search = in_sorted_rows ? *sorted_ : *search_;
    search.pack(views, selection);
    if (tree_.plan.score == SplitScore::entropy)
        tree_.rule.entropy = views.size() > 1 ? Entropy::one_class : Entropy::two_classes;
    tree_.rule.estimate_rows = estimates_rows();
    columns_.start();
    tree_.make_root();
    search.start(selection);
    const double hessian = tree_.hessian_of(tree.nodes[0]);
    if (windows_ && windows_->serves())
        windows_->grow();
    else
        grow_nodes(tree_, search);
    search.end();

    tree.own_units = in_sorted_rows;
    for (const Packed& packed : tree_.packed) tree.own_units |= packed.packing.centered;
    tree.has_current_linear_leaves = false;
    tree.extent = tree_.packed[0].measured.extent;
    tree.repeats = static_cast<double>(tree_.packed[0].measured.repeats);
    const std::vector<Home> homes = prune(tree.nodes, tree_.plan, hessian);
    exchange_->end(homes, std::ssize(tree.nodes), n_threads, tree.rows);
    direct_later_missing(tree, mapper(), views[0], selection.weights, tree_.plan, n_threads);
}

// Other searches and constant hessians use exact row counts.
bool TreeGrower::estimates_rows() const {
    const GrowPlan& plan = tree_.plan;
    const bool by_node =
        plan.grow_policy == GrowPolicy::leafwise || plan.grow_policy == GrowPolicy::depthwise;
    return plan.estimate_rows && by_node && !facts_.ranked && !plan.linear_gain.exists() &&
           !tree_.ranks() && !plan.extra_trees && tree_.n_outputs() == 1 &&
           !tree_.packing().constant_hessian;
}

} // namespace ceiba
