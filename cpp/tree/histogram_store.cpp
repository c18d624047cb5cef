#include "tree/histogram_store.hpp"

#include <algorithm>
#include <cmath>

namespace ceiba {

HistogramStore::HistogramStore(GrowingTree& tree, Exchange& exchange, LocalExchange* local)
    : tree_(tree), exchange_(exchange), local_(local) {
    if (local != nullptr && local->binned().lists().n_columns() > 0)
        lists_ = std::make_unique<SparseLists>(local->binned());
}

void HistogramStore::lay_out(const BinMapper& mapper) {
    layout_ = HistogramLayout(mapper, exchange_.groups());
}

void HistogramStore::start(const std::vector<int>& columns, int n_planes) {
    n_planes_ = n_planes;
    pool_.set_size(layout_.n_bins() * n_planes);
    pool_.give_all_back();
    groups_.clear();
    const auto drawn = [&](int column) {
        return std::binary_search(columns.begin(), columns.end(), column);
    };
    const bool all = columns.size() == layout_.place_of.size();
    for (std::size_t g = 0; g < n_groups(); ++g) {
        const ColumnGroup& own = exchange_.groups()[g];
        if (all || std::any_of(own.begin(), own.end(), drawn))
            groups_.push_back(static_cast<int>(g));
    }
}

void HistogramStore::start_lists(const RowSelection& selection, const std::vector<int>& columns) {
    if (!lists_) return;
    // With integer weights or estimated row counts, fewer rows than min_count can satisfy it.
    const WeightFacts& weights = selection.weights;
    const bool counted = weights.weights != nullptr && weights.whole && weights.counted,
               any = counted || tree_.is_symmetric() || tree_.rule.estimate_rows;
    lists_->start(local_->shards(), local_->quantized(), selection.all, columns,
                  any ? 1 : static_cast<std::int64_t>(std::ceil(tree_.rule.min_count)),
                  tree_.n_threads);
}

// Sums the smaller child; the larger one is the parent's histogram minus the smaller one's.
void HistogramStore::plan_sums(int parent_number, std::vector<Build>& builds) {
    Node& parent = tree_.at(parent_number);
    const Node &left = tree_.at(parent.left), &right = tree_.at(parent.right);
    // Symmetric growth splits every node above the last level; empty nodes need no histogram.
    const bool deep = tree_.plan.max_depth > 0 && left.depth >= tree_.plan.max_depth;
    auto wanted = [&](const Node& node) {
        if (tree_.is_symmetric()) return !deep && node.n_rows > 0;
        return tree_.may_split(node);
    };
    const bool left_is_small = left.n_rows <= right.n_rows;
    const int small = left_is_small ? parent.left : parent.right,
              large = left_is_small ? parent.right : parent.left;
    const bool want_small = wanted(left_is_small ? left : right),
               want_large = wanted(left_is_small ? right : left);
    if (lists_)
        lists_->split(local_->shards(), parent_number, wanted(left) ? parent.left : -1,
                      wanted(right) ? parent.right : -1, tree_.n_threads);
    if (parent.histogram >= 0 && want_large) {
        builds.push_back({small, large});
        return;
    }
    if (want_small) builds.push_back({small, -1});
    if (want_large) builds.push_back({large, -1});
    give_back(parent);
}

void HistogramStore::sum(std::span<const Build> builds,
                         const std::function<void(int, int)>& summed) {
    std::vector<SumOrder> orders;
    orders.reserve(builds.size());
    for (const Build& build : builds) {
        Node& node = tree_.at(build.node);
        node.histogram = pool_.take();
        if (build.sibling >= 0) {
            Node& parent = tree_.at(node.parent);
            tree_.at(build.sibling).histogram = parent.histogram;
            parent.histogram = -1;
        }
    }
    for (const Build& build : builds)
        orders.push_back({build.node, pool_.words(tree_.at(build.node).histogram)});
    exchange_.sum(orders, groups_, tree_.n_threads, [&](int i, int group) {
        const Build& build = builds[static_cast<std::size_t>(i)];
        if (build.sibling >= 0)
            histogram_kernels().subtract_bins(of_group(build.sibling, group),
                                              of_group(build.node, group));
        summed(i, group);
    });
}

void HistogramStore::give_back(Node& node) {
    pool_.give_back(node.histogram);
    node.histogram = -1;
}

void HistogramStore::drop(int number) {
    give_back(tree_.at(number));
    if (lists_) lists_->drop(number);
}

} // namespace ceiba
