#include "tree/grower.hpp"

#include "base/errors.hpp"
#include "parallel/pool.hpp"
#include "tree/later_missing.hpp"
#include "tree/prune.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <string>

namespace ceiba {

namespace {

// Whether values of the split column go both ways at a node.
bool tells_values_apart(std::span<const Node> nodes, int number) {
    const Decision& own = nodes[static_cast<std::size_t>(number)].split.decision;
    for (int child = number, above = nodes[static_cast<std::size_t>(child)].parent; above >= 0;
         child = above, above = nodes[static_cast<std::size_t>(above)].parent) {
        const Node& ancestor = nodes[static_cast<std::size_t>(above)];
        const Decision& other = ancestor.split.decision;
        if (other.feature != own.feature) continue;
        const bool from_left = ancestor.left == child;
        if (from_left ? other.last <= own.last : other.last >= own.last) return false;
    }
    return true;
}

} // namespace

PlacedRows GrownTree::placed() const {
    PlacedRows rows{&leaf_of_row, nodes[0].n_rows, repeats, {}};
    rows.parents.reserve(nodes.size());
    for (const Node& node : nodes) rows.parents.push_back(node.parent);
    return rows;
}

TreeGrower::TreeGrower(const BinnedMatrix& binned,
                       const std::shared_ptr<const RankedColumns>& ranked, const GrowPlan& plan)
    : approx_(ranked && plan.sketch_eps > 0
                  ? std::make_unique<ApproxSearch>(ranked, plan.sketch_eps,
                                                   plan.candidates_by_node &&
                                                       plan.grow_policy != GrowPolicy::symmetric)
                  : nullptr),
      binned_(approx_ ? &approx_->binned() : &binned), plan_(plan), rule_(plan.gain_rule()),
      interactions_(plan.columns.interactions, plan.columns.listed_only, plan.columns_bypath,
                    binned_->n_features()),
      exchange_(*binned_, approx_ && !approx_->by_node() ? nullptr : ranked.get()) {
    if (!ranked || approx_) return;
    if (exchange_.shards().size() != 1)
        throw InputError("split_method='exact' needs all rows in one shard. Got " +
                         std::to_string(exchange_.shards().size()) +
                         " shards. Give split_method='hist' or 'approx'.");
    exact_ = std::make_unique<ExactSearch>(binned, ranked);
}

void TreeGrower::grow(const GradientView& view, const WeightFacts& weights,
                      std::span<const std::int32_t> rows, bool all_rows, const ColumnKey& key,
                      int n_threads, GrownTree& tree) {
    key_ = key;
    n_threads_ = n_threads;
    nodes_ = &tree.nodes;
    quantize(view, weights, rows, all_rows, exact_ != nullptr, plan_.reg_lambda, n_threads,
             quantized_);
    exchange_.start(quantized_, rows, all_rows);

    std::vector<int> all_columns(static_cast<std::size_t>(binned_->n_features()));
    std::iota(all_columns.begin(), all_columns.end(), 0);
    tree_columns_ = sample_columns(all_columns, plan_.colsample_bytree, key_, kTreeStage, 0,
                                   plan_.columns.weights);
    groups_.clear();
    for (int g = 0; g < static_cast<int>(binned_->groups().size()); ++g) {
        const FeatureGroup& group = binned_->groups()[static_cast<std::size_t>(g)];
        const auto at = std::lower_bound(tree_columns_.begin(), tree_columns_.end(), group.first);
        if (at != tree_columns_.end() && *at < group.first + group.width) groups_.push_back(g);
    }
    if (approx_) {
        approx_->start(quantized_, exchange_.shards(), rows, all_rows, tree_columns_, n_threads);
        exchange_.lay_out();
    }
    pool_.set_size(exchange_.histogram_words());
    pool_.give_all_back();

    tree.nodes.assign(1, Node{});
    Node& root = tree.nodes[0];
    root.n_rows = exchange_.n_rows_of(0);
    root.sums = quantized_.total;
    root.bounds = rule_.first_bounds();
    root.score = score_of(root);
    const double hessian = static_cast<double>(root.sums.hessian) * quantized_.packing.hessian_unit;
    gain_to_grow_ = plan_.gain_to_grow(hessian);
    rule_.min_child_weight = plan_.leaf_hessian(hessian);
    if (exact_) exact_->start(quantized_, exchange_.rows_of(0), rule_, gain_to_grow_, n_threads);

    const std::int64_t most_leaves =
        plan_.max_leaves > 0 ? plan_.max_leaves : std::numeric_limits<std::int32_t>::max() / 2;
    std::int64_t n_leaves = 1;
    Frontier frontier(plan_.grow_policy);
    const bool symmetric = plan_.grow_policy == GrowPolicy::symmetric;
    // Looks for splits of the nodes of `level` through `builds`, and adds those that have one.
    auto find_and_add = [&](std::span<const int> level, std::span<const Build> builds) {
        if (builds.empty()) return;
        if (symmetric)
            search_level(level, builds);
        else
            search(builds);
        for (const int number : level) {
            Node& node = (*nodes_)[static_cast<std::size_t>(number)];
            if (node.split.found()) frontier.add(number, node.depth, node.split.gain);
            if (!node.split.found() || node.n_rows == 0 || pool_.crowded()) {
                pool_.give_back(node.histogram);
                node.histogram = -1;
            }
        }
        for (const int number : frontier.drop_hopeless(most_leaves - n_leaves)) {
            Node& node = (*nodes_)[static_cast<std::size_t>(number)];
            pool_.give_back(node.histogram);
            node.histogram = -1;
        }
    };

    std::vector<int> level{0};
    std::vector<Build> builds;
    if (most_leaves > 1 && may_split(root)) builds.push_back({0, -1});
    find_and_add(level, builds);
    for (std::vector<int> batch; !(batch = frontier.next_batch(most_leaves - n_leaves)).empty();) {
        split_nodes(batch);
        n_leaves += static_cast<std::int64_t>(batch.size());
        builds.clear();
        level.clear();
        for (const int number : batch) {
            const Node& parent = (*nodes_)[static_cast<std::size_t>(number)];
            level.insert(level.end(), {parent.left, parent.right});
            if (n_leaves < most_leaves)
                plan_builds(number, builds);
            else
                pool_.give_back(parent.histogram);
        }
        find_and_add(level, builds);
    }

    tree.extent = quantized_.extent;
    tree.repeats = quantized_.repeats;
    const std::vector<Home> homes = prune(tree.nodes, plan_, hessian);
    tree.leaf_of_row.start(view.n_rows, static_cast<std::int64_t>(tree.nodes.size()), !all_rows);
    parallel_for(useful_threads(n_threads_, tree.nodes[0].n_rows),
                 static_cast<std::int64_t>(homes.size()), [&](std::int64_t i) {
                     const Home& home = homes[static_cast<std::size_t>(i)];
                     if (home.had_rows)
                         exchange_.write_leaf(static_cast<int>(i), home.node, tree.leaf_of_row);
                 });
    direct_later_missing(tree, binned_->mapper(), view, weights, symmetric, n_threads_);
}

double TreeGrower::score_of(const Node& node) const {
    return score(static_cast<double>(node.sums.gradient) * quantized_.packing.gradient_unit,
                 static_cast<double>(node.sums.hessian) * quantized_.packing.hessian_unit, rule_,
                 node.bounds);
}

double TreeGrower::step_of(const Sums& sums, const Bounds& bounds) const {
    return bounded_step(static_cast<double>(sums.gradient) * quantized_.packing.gradient_unit,
                        static_cast<double>(sums.hessian) * quantized_.packing.hessian_unit, rule_,
                        bounds);
}

ChildBounds TreeGrower::bounds_below(int number) const {
    const Node& node = (*nodes_)[static_cast<std::size_t>(number)];
    const Split& split = node.split;
    const Decision& decision = split.decision;
    // The last bin holds no border between values: present against missing.
    const bool has_border = exact_ || approx_
                                ? split.threshold < std::numeric_limits<double>::infinity()
                                : static_cast<int>(decision.last) + 1 <
                                      binned_->mapper().n_value_bins(decision.feature);
    const int direction =
        has_border && tells_values_apart(*nodes_, number) ? plan_.direction(decision.feature) : 0;
    const double value = step_of(node.sums, node.bounds);
    const Sums right = node.sums - split.left;
    return child_bounds(node.bounds, direction, value,
                        split.left.count > 0 ? step_of(split.left, node.bounds) : value,
                        right.count > 0 ? step_of(right, node.bounds) : value);
}

bool TreeGrower::enough_rows(const Node& node) const {
    return node.n_rows > 0 && node.sums.count >= plan_.min_samples_split;
}

bool TreeGrower::may_split(const Node& node) const {
    if (plan_.max_depth > 0 && node.depth >= plan_.max_depth) return false;
    const double hessian = static_cast<double>(node.sums.hessian) * quantized_.packing.hessian_unit;
    return node.n_rows >= 2 && enough_rows(node) &&
           static_cast<double>(node.sums.count) >= 2 * rule_.min_count &&
           hessian >= 2 * rule_.min_child_weight;
}

// Which children of a node that was split get a histogram, and how: the smaller one is summed, the
// other is what is left of the parent's.
void TreeGrower::plan_builds(int parent_number, std::vector<Build>& builds) {
    Node& parent = (*nodes_)[static_cast<std::size_t>(parent_number)];
    const Node &left = (*nodes_)[static_cast<std::size_t>(parent.left)],
               &right = (*nodes_)[static_cast<std::size_t>(parent.right)];
    // Symmetric growth splits every node of a level that is not the last; those without rows need
    // no histogram for it.
    const bool deep = plan_.max_depth > 0 && left.depth >= plan_.max_depth;
    auto wanted = [&](const Node& node) {
        if (plan_.grow_policy == GrowPolicy::symmetric) return !deep && node.n_rows > 0;
        return may_split(node);
    };
    const bool left_is_small = left.n_rows <= right.n_rows;
    const int small = left_is_small ? parent.left : parent.right,
              large = left_is_small ? parent.right : parent.left;
    const bool want_small = wanted(left_is_small ? left : right),
               want_large = wanted(left_is_small ? right : left);
    if (parent.histogram >= 0 && want_large) {
        builds.push_back({small, large});
        return;
    }
    if (want_small) builds.push_back({small, -1});
    if (want_large) builds.push_back({large, -1});
    pool_.give_back(parent.histogram);
    parent.histogram = -1;
}

ExactSearch::NodeView TreeGrower::exact_view(int number, std::span<const int> columns,
                                             Split& best) const {
    const Node& node = (*nodes_)[static_cast<std::size_t>(number)];
    return {number, exchange_.rows_of(number), columns, node.score, enough_rows(node), &best};
}

// Thresholds between the neighbouring values of the rows that a split divides.
void TreeGrower::settle_thresholds(std::span<const int> batch) {
    std::vector<RowRange> rows;
    std::int64_t n_rows = 0;
    for (const int number : batch) {
        rows.push_back(exchange_.rows_of(number));
        n_rows += rows.back().end - rows.back().begin;
    }
    const auto split_of = [&](std::size_t i) -> Split& {
        return (*nodes_)[static_cast<std::size_t>(batch[i])].split;
    };
    if (plan_.grow_policy == GrowPolicy::symmetric) {
        exact_->settle(rows, split_of(0));
        for (std::size_t i = 1; i < batch.size(); ++i) {
            split_of(i).decision = split_of(0).decision;
            split_of(i).threshold = split_of(0).threshold;
        }
        return;
    }
    parallel_for(useful_threads(n_threads_, n_rows), static_cast<std::int64_t>(batch.size()),
                 [&](std::int64_t i) {
                     const auto at = static_cast<std::size_t>(i);
                     exact_->settle({&rows[at], 1}, split_of(at));
                 });
}

void TreeGrower::split_nodes(std::span<const int> batch) {
    if (exact_) settle_thresholds(batch);
    std::vector<SplitOrder> orders;
    orders.reserve(batch.size());
    for (const int number : batch) {
        Split& split = (*nodes_)[static_cast<std::size_t>(number)].split;
        const Decision decision = split.decision; // of the codes that the shards know
        // Codes of approx are those of this tree alone: after it, a decision speaks of ranks.
        if (approx_) approx_->settle(split);
        const auto first = static_cast<int>(nodes_->size());
        nodes_->resize(nodes_->size() + 2);
        Node& node = (*nodes_)[static_cast<std::size_t>(number)];
        node.left = first;
        node.right = first + 1;
        const ChildBounds bounds =
            plan_.is_monotone() ? bounds_below(number) : ChildBounds{node.bounds, node.bounds};
        for (const int child_number : {node.left, node.right}) {
            Node& child = (*nodes_)[static_cast<std::size_t>(child_number)];
            child.parent = number;
            child.depth = node.depth + 1;
            child.sums = child_number == node.left ? node.split.left : node.sums - node.split.left;
            child.bounds = child_number == node.left ? bounds.left : bounds.right;
            child.score = score_of(child);
            child.hopeless = node.hopeless;
        }
        orders.push_back({number, node.left, node.right, decision});
    }
    exchange_.apply(orders, n_threads_);
    for (const SplitOrder& order : orders)
        for (const int child : {order.left, order.right})
            (*nodes_)[static_cast<std::size_t>(child)].n_rows = exchange_.n_rows_of(child);
}

Grower::Grower(std::shared_ptr<const BinnedMatrix> binned,
               std::shared_ptr<const RankedColumns> ranked, const GrowPlan& plan,
               std::vector<double> weights, int n_threads)
    : binned_(std::move(binned)), ranked_(std::move(ranked)), plan_(plan),
      weights_(std::move(weights)),
      facts_(WeightFacts::of(weights_.empty() ? nullptr : weights_.data(), binned_->n_rows(),
                             plan.weighted_counts)),
      n_threads_(std::max(1, n_threads)) {
    if (binned_->has_new_missing())
        throw InputError("trees cannot be grown on this table: a column has missing values, but "
                         "its bins were found on a table without "
                         "any. Find the bins on the table that is trained on.");
    if (ranked_ &&
        (ranked_->n_rows() != binned_->n_rows() || ranked_->n_features() != binned_->n_features()))
        throw InputError("the ranked columns must be those of the binned table, " +
                         std::to_string(binned_->n_rows()) + " x " +
                         std::to_string(binned_->n_features()) + ". Got " +
                         std::to_string(ranked_->n_rows()) + " x " +
                         std::to_string(ranked_->n_features()) + ".");
    const auto n_columns = static_cast<std::size_t>(binned_->n_features());
    for (const std::size_t n : {plan.columns.monotone.size(), plan.columns.weights.size()})
        if (n != 0 && n != n_columns)
            throw InputError("rules of columns must have one entry for each of the " +
                             std::to_string(n_columns) + " columns. Got " + std::to_string(n) +
                             ".");
}

void Grower::grow(std::span<const GradientView> views, std::span<const std::int32_t> rows,
                  bool all_rows, std::uint64_t round) {
    ++n_grown_;
    const auto n_trees = static_cast<std::int64_t>(views.size());
    trees_.resize(views.size());
    // As many trees at the same time as there are threads; what is left over shares the threads
    // within a tree.
    const std::int64_t together = n_trees >= n_threads_ ? n_trees / n_threads_ * n_threads_ : 0;
    const int n_slots = together > 0 ? n_threads_ : 1;
    while (static_cast<int>(growers_.size()) < n_slots)
        growers_.push_back(std::make_unique<TreeGrower>(*binned_, ranked_, plan_));
    auto grow_one = [&](std::int64_t tree, int slot, int n_threads) {
        GradientView view = views[static_cast<std::size_t>(tree)];
        if (plan_.unit_hessians) {
            view.hessians = nullptr;
            view.constant_hessian = 1;
        }
        growers_[static_cast<std::size_t>(slot)]->grow(
            view, facts_, rows, all_rows, {plan_.seed, round, static_cast<std::uint64_t>(tree)},
            n_threads, trees_[static_cast<std::size_t>(tree)]);
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
