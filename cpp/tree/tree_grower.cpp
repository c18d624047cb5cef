#include "tree/tree_grower.hpp"

#include "base/errors.hpp"
#include "base/interrupt.hpp"
#include "parallel/pool.hpp"
#include "tree/later_missing.hpp"
#include "tree/prune.hpp"

#include <algorithm>
#include <cmath>
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

std::unique_ptr<ApproxSearch> approx_search(const std::shared_ptr<const RankedColumns>& ranked,
                                            const GrowPlan& plan) {
    if (!ranked || !(plan.sketch_eps > 0)) return nullptr;
    const bool by_node =
        plan.approx_scope == ApproxScope::node && plan.grow_policy != GrowPolicy::symmetric;
    return std::make_unique<ApproxSearch>(ranked, plan.sketch_eps, by_node, plan.columns.kinds,
                                          plan.category);
}

Interactions interactions_of(const GrowPlan& plan, int n_columns) {
    return {plan.columns.interactions, plan.columns.listed_only, plan.columns_bypath, n_columns};
}

} // namespace

TreeGrower::TreeGrower(const BinnedMatrix& binned,
                       const std::shared_ptr<const RankedColumns>& ranked, const GrowPlan& plan)
    : plan_(plan), rule_(plan.gain_rule()), approx_(approx_search(ranked, plan)),
      mapper_(&binned.mapper()),
      exchange_(std::make_unique<LocalExchange>(approx_ ? approx_->binned() : binned, ranked.get(),
                                                approx_ && !approx_->by_node())),
      local_(static_cast<LocalExchange*>(exchange_.get())),
      interactions_(interactions_of(plan, mapper().n_features())),
      layout_(mapper(), exchange_->groups()) {
    if (!approx_ && binned.lists().n_columns() > 0) lists_ = std::make_unique<SparseLists>(binned);
    find_pairs();
    if (plan.linear_gain.exists()) start_linear();
    if (!ranked || approx_) return;
    if (lists_) throw InputError("split_method='exact' needs a table without lists of columns.");
    if (local_->shards().size() != 1)
        throw InputError("split_method='exact' needs all rows in one shard. Got " +
                         std::to_string(local_->shards().size()) +
                         " shards. Give split_method='hist' or 'approx'.");
    exact_ = std::make_unique<ExactSearch>(binned, ranked);
    find_pairs();
}

TreeGrower::TreeGrower(const BinMapper& mapper, std::unique_ptr<Exchange> exchange,
                       const GrowPlan& plan)
    : plan_(plan), rule_(plan.gain_rule()), mapper_(&mapper), exchange_(std::move(exchange)),
      interactions_(interactions_of(plan, mapper.n_features())),
      layout_(mapper, exchange_->groups()) {
    if (plan.linear_gain.exists()) throw InputError("linear gains need rows in this process.");
    find_pairs();
}

void TreeGrower::grow(std::span<const GradientView> views, const RowSelection& selection,
                      const ColumnKey& key, double noise, int n_threads, GrownTree& tree) {
    key_ = key;
    noise_ = {noise, hash64(key.seed, key.round, key.tree)};
    if (ranks() && (exact_ || (approx_ && approx_->by_node())))
        throw InputError("score='cosine' and noise need bins: split_method='hist', or 'approx' "
                         "with approx_scope='tree'.");
    if (ranks() && linear_)
        throw InputError("noise needs trees whose gains are those of constants.");
    n_threads_ = n_threads;
    nodes_ = &tree.nodes;
    pack(views, selection);
    if (plan_.score == SplitScore::entropy)
        rule_.entropy = views.size() > 1 ? Entropy::one_class : Entropy::two_classes;
    rule_.estimate_rows = estimates_rows();
    choose_columns(selection);
    pool_.set_size(layout_.n_bins() * n_planes());
    pool_.give_all_back();
    const bool sorted = grows_sorted(views);
    make_root(sorted);
    if (linear_) fit_root();
    if (lists_) {
        if (n_outputs() > 1 || ranks() || plan_.extra_trees)
            throw InputError("these trees need a table without lists of columns.");
        // Whole weights and estimated row counts let fewer rows than min_count satisfy it.
        const WeightFacts& weights = selection.weights;
        const bool counted = weights.weights != nullptr && weights.whole && weights.counted,
                   shared = plan_.grow_policy == GrowPolicy::symmetric;
        lists_->start(local_->shards(), local_->quantized(), selection.all, tree_columns_,
                      counted || shared || rule_.estimate_rows
                          ? 1
                          : static_cast<std::int64_t>(std::ceil(rule_.min_count)),
                      n_threads_);
    }
    const double hessian = hessian_of(tree.nodes[0]);
    if (sorted)
        grow_sorted(views, selection);
    else if (grows_in_windows())
        grow_in_windows();
    else
        grow_nodes();

    tree.own_units = sorted || packed_.packing.centered;
    for (const Packed& packed : more_packed_) tree.own_units |= packed.packing.centered;
    tree.extent = packed_.measured.extent;
    tree.repeats = static_cast<double>(packed_.measured.repeats);
    const std::vector<Home> homes = prune(tree.nodes, plan_, hessian);
    exchange_->end(homes, std::ssize(tree.nodes), n_threads_, tree.rows);
    direct_later_missing(tree, mapper(), views[0], selection.weights, plan_, n_threads_);
}

// Other searches, and hessians that are the same for all rows, count the rows themselves.
bool TreeGrower::estimates_rows() const {
    const bool by_node =
        plan_.grow_policy == GrowPolicy::leafwise || plan_.grow_policy == GrowPolicy::depthwise;
    return plan_.estimate_rows && by_node && !exact_ && !approx_ && !linear_ && !ranks() &&
           !plan_.extra_trees && n_outputs() == 1 && !packed_.packing.constant_hessian;
}

// Whether gains stay the same when a number is added to all gradients.
bool TreeGrower::centers() const {
    const auto penalized = [&](std::uint8_t kind) {
        return plan_.category.child_l2(static_cast<CategoryKind>(kind)) != 0;
    };
    return plan_.own_units && !exact_ && !approx_ && !linear_ && !ranks() && !rule_.bounded &&
           rule_.lambda == 0 && rule_.alpha == 0 && plan_.score == SplitScore::newton &&
           std::none_of(plan_.columns.kinds.begin(), plan_.columns.kinds.end(), penalized);
}

void TreeGrower::pack(std::span<const GradientView> views, const RowSelection& selection) {
    more_packed_.clear();
    if (views.size() == 1) {
        packed_ = pack_one(views[0], selection);
        return;
    }
    const Outputs outputs{static_cast<int>(views.size()), views[0].hessians != nullptr};
    if (exact_ && (outputs.own_hessians || plan_.grow_policy == GrowPolicy::symmetric))
        throw InputError("split_method='exact' of several outputs that share a tree needs one "
                         "hessian for all rows, and no symmetric growth.");
    for (int output = 0; output < outputs.n; ++output) {
        const GradientView& view = views[static_cast<std::size_t>(output)];
        const Measured measured = exchange_->measure(view, selection, n_threads_);
        Packed packed =
            pack_output(measured, selection.weights, view.hessians == nullptr,
                        view.constant_hessian, outputs, output, centers(),
                        [&](const PackOrder& order) { return exchange_->pack(order, n_threads_); });
        if (output == 0)
            packed_ = std::move(packed);
        else
            more_packed_.push_back(std::move(packed));
    }
}

Packed TreeGrower::pack_one(const GradientView& view, const RowSelection& selection) {
    const Measured measured = exchange_->measure(view, selection, n_threads_);
    if (linear_) return pack_linear_rows(measured, view, selection.weights);
    return choose_packing(
        measured, selection.weights, view.hessians == nullptr, view.constant_hessian,
        exact_ != nullptr || (plan_.own_units && view.hessians == nullptr), plan_.reg_lambda,
        centers(), [&](const PackOrder& order) { return exchange_->pack(order, n_threads_); });
}

// The columns of the tree, and the groups that hold some of them.
void TreeGrower::choose_columns(const RowSelection& selection) {
    std::vector<int> all_columns(static_cast<std::size_t>(mapper().n_features()));
    std::iota(all_columns.begin(), all_columns.end(), 0);
    tree_columns_ = sample_columns(all_columns, plan_.colsample_bytree, key_, kTreeStage, 0,
                                   plan_.columns.weights);
    groups_.clear();
    const auto groups = exchange_->groups();
    for (std::size_t g = 0; g < groups.size(); ++g) {
        const auto drawn = [&](int column) {
            return std::binary_search(tree_columns_.begin(), tree_columns_.end(), column);
        };
        if (tree_columns_.size() == all_columns.size() ||
            std::any_of(groups[g].begin(), groups[g].end(), drawn))
            groups_.push_back(static_cast<int>(g));
    }
    if (!approx_) return;
    approx_->start(local_->quantized(), local_->shards(), selection.rows, selection.all,
                   tree_columns_, n_threads_);
    local_->lay_out();
    layout_ = HistogramLayout(mapper(), exchange_->groups());
}

void TreeGrower::make_root(bool sorted) {
    nodes_->assign(1, Node{});
    Node& root = node_at(0);
    root.n_rows = packed_.measured.n_rows;
    root.sums = packed_.total;
    for (const Packed& packed : more_packed_) root.more_sums.push_back(packed.total);
    root.bounds = rule_.first_bounds();
    root.score = score_of(root);
    gain_to_grow_ = plan_.gain_to_grow(hessian_of(root));
    rule_.min_child_weight = plan_.leaf_hessian(hessian_of(root));
    if (exact_ && !sorted) start_exact();
}

void TreeGrower::start_exact() {
    std::vector<Packing> packings;
    for (int output = 0; output < n_outputs(); ++output) packings.push_back(packed(output).packing);
    exact_->start({&local_->quantized(), local_->more_outputs()}, packings, local_->rows_of(0),
                  rule_, gain_to_grow_, n_threads_);
}

void TreeGrower::grow_nodes() {
    const std::int64_t most_leaves =
        plan_.max_leaves > 0 ? plan_.max_leaves : std::numeric_limits<std::int32_t>::max() / 2;
    std::int64_t n_leaves = 1;
    Frontier frontier(plan_.grow_policy);
    std::vector<int> level{0};
    std::vector<Build> builds;
    if (most_leaves > 1 && may_split(node_at(0))) builds.push_back({0, -1});
    find_and_add(level, builds, most_leaves - n_leaves, frontier);
    for (std::vector<int> batch; !(batch = frontier.next_batch(most_leaves - n_leaves)).empty();) {
        check_interrupt();
        split_nodes(batch);
        n_leaves += static_cast<std::int64_t>(batch.size());
        builds.clear();
        level.clear();
        for (const int number : batch) {
            const Node& parent = node_at(number);
            level.insert(level.end(), {parent.left, parent.right});
            if (n_leaves < most_leaves) {
                plan_builds(number, builds);
            } else {
                pool_.give_back(parent.histogram);
                if (lists_) lists_->drop(number);
            }
        }
        find_and_add(level, builds, most_leaves - n_leaves, frontier);
    }
}

// Looks for splits of the nodes of `level` through `builds`, and adds those that have one.
void TreeGrower::find_and_add(std::span<const int> level, std::span<const Build> builds,
                              std::int64_t leaves_left, Frontier& frontier) {
    if (builds.empty()) return;
    if (plan_.grow_policy == GrowPolicy::symmetric)
        search_level(level, builds);
    else
        search(builds);
    for (const int number : level) {
        Node& node = node_at(number);
        if (node.split.found()) frontier.add(number, node.depth, node.split.gain);
        // Histograms of linear models are those of one node: nothing is left of them for children.
        if (!node.split.found() || node.n_rows == 0 || pool_.crowded() || linear_)
            give_back_histogram(node);
        if (lists_ && (!node.split.found() || node.n_rows == 0)) lists_->drop(number);
    }
    for (const int number : frontier.drop_hopeless(leaves_left)) {
        give_back_histogram(node_at(number));
        if (lists_) lists_->drop(number);
    }
}

void TreeGrower::give_back_histogram(Node& node) {
    pool_.give_back(node.histogram);
    node.histogram = -1;
}

double TreeGrower::score_of(const Node& node, int output) const {
    const Sums& sums = sums_of(node, output);
    const Packing& packing = packed(output).packing;
    return score(real_gradient(sums, packing, center_of(sums, packing)),
                 static_cast<double>(sums.hessian) * packing.hessian_unit, rule_, node.bounds);
}

double TreeGrower::score_of(const Node& node) const {
    double sum = score_of(node, 0);
    for (int output = 1; output < n_outputs(); ++output) sum += score_of(node, output);
    return sum;
}

double TreeGrower::hessian_of(const Node& node) const {
    return static_cast<double>(node.sums.hessian) * packed_.packing.hessian_unit;
}

double TreeGrower::step_of(const Sums& sums, const Bounds& bounds) const {
    return bounded_step(static_cast<double>(sums.gradient) * packed_.packing.gradient_unit,
                        static_cast<double>(sums.hessian) * packed_.packing.hessian_unit, rule_,
                        bounds);
}

ChildBounds TreeGrower::bounds_below(int number) const {
    const Node& node = node_at(number);
    const Split& split = node.split;
    const Decision& decision = split.decision;
    // The last bin holds no border between values: present against missing.
    const bool has_border =
        exact_ || approx_
            ? split.threshold < std::numeric_limits<double>::infinity()
            : static_cast<int>(decision.last) + 1 < mapper().n_value_bins(decision.feature);
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
    return node.n_rows >= 2 && enough_rows(node) &&
           static_cast<double>(node.sums.count) >= 2 * rule_.min_count &&
           hessian_of(node) >= 2 * rule_.min_child_weight;
}

// Which children of a node that was split get a histogram, and how: the smaller one is summed, the
// other is what is left of the parent's.
void TreeGrower::plan_builds(int parent_number, std::vector<Build>& builds) {
    Node& parent = node_at(parent_number);
    const Node &left = node_at(parent.left), &right = node_at(parent.right);
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
    if (lists_)
        lists_->split(local_->shards(), parent_number, wanted(left) ? parent.left : -1,
                      wanted(right) ? parent.right : -1, n_threads_);
    if (parent.histogram >= 0 && want_large) {
        builds.push_back({small, large});
        return;
    }
    if (want_small) builds.push_back({small, -1});
    if (want_large) builds.push_back({large, -1});
    give_back_histogram(parent);
}

// Thresholds between the neighbouring values of the rows that a split divides.
void TreeGrower::settle_thresholds(std::span<const int> batch) {
    std::vector<RowRange> rows;
    std::int64_t n_rows = 0;
    for (const int number : batch) {
        rows.push_back(local_->rows_of(number));
        n_rows += rows.back().end - rows.back().begin;
    }
    const auto split_of = [&](std::size_t i) -> Split& { return node_at(batch[i]).split; };
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

} // namespace ceiba
