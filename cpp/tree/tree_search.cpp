// The search of a tree that grows: histograms of new nodes, and from them the best splits.
// tree_grower.cpp says which nodes, and applies what is found; tree_scan.cpp looks at columns.

#include "parallel/pool.hpp"
#include "split/drawn.hpp"
#include "tree/tree_grower.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

namespace ceiba {

std::vector<int> TreeGrower::columns_for(const Node& node, int number) const {
    std::vector<int> columns = drawn_columns(node, number);
    leave_out_constants(columns);
    if (node.hopeless.empty()) return columns;
    // Without a branch: which columns are hopeless is as good as random.
    std::size_t n = 0;
    for (const int column : columns) {
        columns[n] = column;
        n += node.hopeless[static_cast<std::size_t>(column)] == 0;
    }
    columns.resize(n);
    return columns;
}

// Leaves columns of a node that are not hopeful out of the search below it.
void TreeGrower::note_hopeless(std::span<const int> columns, std::span<const std::uint8_t> hopeful,
                               Node& node) const {
    if (!node.split.found()) return node.hopeless.clear(); // nothing is below
    if (hopeful.empty()) return;
    node.hopeless.resize(static_cast<std::size_t>(mapper().n_features()), 0);
    for (std::size_t c = 0; c < columns.size(); ++c)
        node.hopeless[static_cast<std::size_t>(columns[c])] = hopeful[c] == 0;
}

// What can be split at all: a column of one bin cannot, unless candidates lie inside of bins.
void TreeGrower::leave_out_constants(std::vector<int>& columns) const {
    if (exact_ || approx_) return;
    std::erase_if(columns, [&](int column) { return mapper().n_bins(column) < 2; });
}

// What the columns of a node are drawn from.
std::vector<int> TreeGrower::allowed_columns(const Node& node, int number) const {
    auto columns = sample_columns(tree_columns_, plan_.colsample_bylevel, key_, kLevelStage,
                                  static_cast<std::uint64_t>(node.depth), plan_.columns.weights);
    if (!interactions_.empty()) columns = interactions_.allowed(columns, path_to(*nodes_, number));
    return columns;
}

std::vector<int> TreeGrower::drawn_columns(const Node& node, int number) const {
    const bool draws = plan_.colsample_bynode < 1 || plan_.columns_bynode > 0;
    if (plan_.colsample_bylevel >= 1 && !draws && interactions_.empty()) return tree_columns_;
    const auto place = static_cast<std::uint64_t>(number);
    if (plan_.colsample_bylevel >= 1 && interactions_.empty() && plan_.columns_bynode > 0)
        return draw_columns(tree_columns_, static_cast<std::size_t>(plan_.columns_bynode), key_,
                            kNodeStage, place, plan_.columns.weights);
    const std::vector<int> columns = allowed_columns(node, number);
    if (plan_.columns_bynode > 0)
        return draw_columns(columns, static_cast<std::size_t>(plan_.columns_bynode), key_,
                            kNodeStage, place, plan_.columns.weights);
    return sample_columns(columns, plan_.colsample_bynode, key_, kNodeStage, place,
                          plan_.columns.weights);
}

// The columns that a node did not draw, in the order in which it would have; none where that is not
// asked for.
std::vector<int> TreeGrower::further_columns(const Node& node, int number,
                                             std::span<const int> drawn) const {
    if (!plan_.draw_until_split || (plan_.colsample_bynode >= 1 && plan_.columns_bynode == 0))
        return {};
    std::vector<int> columns =
        columns_in_turn(allowed_columns(node, number), key_, kNodeStage,
                        static_cast<std::uint64_t>(number), plan_.columns.weights);
    leave_out_constants(columns);
    std::erase_if(columns, [&](int column) {
        return std::binary_search(drawn.begin(), drawn.end(), column) || node.is_hopeless(column);
    });
    return columns;
}

// Looks at further columns, one after the other, until one gains something.
void TreeGrower::search_further(Found& found) {
    const Node& node = node_at(found.node);
    for (const int column : further_columns(node, found.node, found.columns)) {
        if (found.best.found() && is_gain(found.best.gain, node.score, 0)) return;
        std::vector<Found> one(1);
        one[0].node = found.node;
        one[0].columns = {column};
        one[0].by_group.resize(found.by_group.size());
        for (const int group : groups_) scan_group(one[0], group);
        for (const Split& split : one[0].by_group) take_better(split, one[0].best);
        if (lists_) scan_lists(one);
        if (exact_ && n_outputs() > 1 && one[0].best.found()) // while decisions speak of bins
            note_left_sums(node, one[0].best);
        if (exact_ && !plan_.is_category(column)) {
            ExactSearch::NodeView view = exact_view(found.node, one[0].columns, one[0].best);
            exact_->refine({&view, 1}, histogram_of(), n_threads_);
        }
        if (one[0].best.found() && one[0].best.gain > found.best.gain) found.best = one[0].best;
    }
}

// Sums the nodes of `builds`, leaves their siblings what remains of the parents, and calls
// summed(build, group) when a group of both is complete.
void TreeGrower::sum(std::span<const Build> builds, const std::function<void(int, int)>& summed) {
    if (linear_) pack_nodes(builds);
    std::vector<SumOrder> orders;
    orders.reserve(builds.size());
    for (const Build& build : builds) {
        Node& node = node_at(build.node);
        node.histogram = pool_.take();
        if (build.sibling >= 0) {
            Node& parent = node_at(node.parent);
            node_at(build.sibling).histogram = parent.histogram;
            parent.histogram = -1;
        }
    }
    for (const Build& build : builds)
        orders.push_back({build.node, pool_.words(node_at(build.node).histogram)});
    exchange_->sum(orders, groups_, n_threads_, [&](int i, int group_number) {
        const Build& build = builds[static_cast<std::size_t>(i)];
        if (build.sibling >= 0) {
            histogram_kernels().subtract_bins(planes_of_group(node_at(build.sibling), group_number),
                                              planes_of_group(node_at(build.node), group_number));
        }
        summed(i, group_number);
    });
}

// Each node finds its own best split among candidates of its own. There are no histograms: those of
// a parent have other bins.
void TreeGrower::search_by_node(std::span<const Build> builds) {
    struct Task {
        int node, feature;
        Split best;
    };
    std::vector<Task> tasks;
    std::int64_t work = 0;
    for (const Build& build : builds) {
        const Node& node = node_at(build.node);
        if (!may_split(node)) continue;
        for (const int feature : columns_for(node, build.node)) {
            tasks.push_back({build.node, feature, {}});
            work += 8 * node.n_rows;
        }
    }
    const auto scan = [&](const Node& node, int number, int feature, Split& best) {
        approx_->scan({number, node.sums, node.score, node.bounds, plan_.direction(feature)},
                      feature, rule_, best);
    };
    parallel_for(useful_threads(n_threads_, work), static_cast<std::int64_t>(tasks.size()),
                 [&](std::int64_t i) {
                     Task& task = tasks[static_cast<std::size_t>(i)];
                     scan(node_at(task.node), task.node, task.feature, task.best);
                 });
    // Columns come in increasing order, and the tie goes to the lowest.
    for (std::size_t first = 0, last = 0; first < tasks.size(); first = last) {
        const int number = tasks[first].node;
        Node& node = node_at(number);
        Split best;
        std::vector<int> columns;
        for (; last < tasks.size() && tasks[last].node == number; ++last) {
            const Split& own = tasks[last].best;
            columns.push_back(tasks[last].feature);
            if (own.found() && own.gain > best.gain) best = own;
        }
        for (const int feature : further_columns(node, number, columns)) {
            if (best.found() && is_gain(best.gain, node.score, 0)) break;
            scan(node, number, feature, best);
        }
        if (best.found() && is_gain(best.gain, node.score, gain_to_grow_)) node.split = best;
        if (!plan_.drop_hopeless_columns) continue;
        std::vector<std::uint8_t> hopeful;
        for (std::size_t i = first; i < last; ++i)
            hopeful.push_back(is_hopeful(node, tasks[i].best.gain));
        note_hopeless(columns, hopeful, node);
    }
}

// Each node finds its own best split.
void TreeGrower::search(std::span<const Build> builds) {
    if (approx_ && approx_->by_node()) return search_by_node(builds);
    const auto n_groups = exchange_->groups().size();
    std::vector<Found> found(2 * builds.size());
    for (std::size_t i = 0; i < builds.size(); ++i) {
        for (std::size_t k = 0; k < 2; ++k) {
            const int number = k == 0 ? builds[i].node : builds[i].sibling;
            Found& one = found[2 * i + k];
            one.node = number;
            if (number < 0 || !may_split(node_at(number))) continue;
            one.columns = columns_for(node_at(number), number);
            one.by_group.resize(n_groups);
            if (plan_.drop_hopeless_columns && !exact_ && !ranks())
                one.hopeful.resize(one.columns.size(), 0);
        }
    }
    const bool by_column = linear_ && !ranks();
    sum(builds, [&](int i, int group) {
        for (std::size_t k = 0; k < 2 && !by_column; ++k) {
            Found& one = found[2 * static_cast<std::size_t>(i) + k];
            if (!one.columns.empty()) scan_group(one, group);
        }
    });
    if (by_column) scan_linear_columns(found);
    for (Found& one : found)
        for (const Split& split : one.by_group) take_better(split, one.best);
    if (lists_) scan_lists(found);
    if (exact_) {
        std::vector<ExactSearch::NodeView> views;
        for (Found& one : found) {
            // Every level is a bin already: there is nothing inside of it.
            std::erase_if(one.columns, [&](int column) { return plan_.is_category(column); });
            if (!one.by_group.empty()) views.push_back(exact_view(one.node, one.columns, one.best));
        }
        if (n_outputs() > 1) // while decisions speak of bins
            for (Found& one : found)
                if (one.best.found()) note_left_sums(node_at(one.node), one.best);
        exact_->refine(views, histogram_of(), n_threads_);
    }
    for (Found& one : found) {
        if (one.node < 0) continue;
        if (plan_.draw_until_split && !ranks() && !one.by_group.empty()) search_further(one);
        Node& node = node_at(one.node);
        if (ranks() && one.best.found()) one.best.gain = gain_of_decision(node, one.best.decision);
        if (one.best.found() && is_gain(one.best.gain, node.score, gain_to_grow_))
            node.split = one.best;
        if (node.split.found() && !exact_) note_left_sums(node, node.split);
        if (linear_ && node.split.found()) fit_children_of(one.node);
        note_hopeless(one.columns, one.hopeful, node);
    }
}

ExactSearch::NodeView TreeGrower::exact_view(int number, std::span<const int> columns,
                                             Split& best) const {
    const Node& node = node_at(number);
    return {number, local_->rows_of(number), columns, node.score, enough_rows(node), &best};
}

// The best candidate of a column, by the sum of the gains of all nodes of a level.
Split TreeGrower::best_of_level(std::span<const int> level, int feature) {
    if (plan_.is_category(feature)) return best_set_of_level(level, feature);
    if (plan_.extra_trees && n_outputs() == 1) return best_drawn_of_level(level, feature);
    const auto n_values = static_cast<std::size_t>(mapper().n_value_bins(feature));
    const bool has_missing = mapper().has_missing(feature);
    std::vector<double> gains(2 * n_values, 0.0);
    double *right = gains.data(), *left = gains.data() + n_values;
    // Exact: missing rows alone on the left are no candidate.
    std::size_t first_value = exact_ ? n_values : 0;
    for (const int number : level) {
        const Node& node = node_at(number);
        if (node.n_rows == 0) continue;
        if (enough_rows(node)) add_gains(node, feature, right, left);
        ListBins bins;
        first_value = std::min(first_value, first_filled(scan_any(node, feature, bins)));
    }
    Split best;
    const int drawn = plan_.extra_trees ? drawn_bin(scan_of(node_at(level.front()), feature)) : -1;
    for (std::size_t b = 0; b < n_values; ++b) {
        if (plan_.extra_trees && static_cast<int>(b) != drawn) continue;
        for (const bool missing_left : {true, false}) {
            if (missing_left && (!has_missing || b < first_value)) continue;
            const double gain = missing_left ? left[b] : right[b];
            if (!(gain > best.gain)) continue;
            best.gain = gain;
            best.decision = {feature, static_cast<Code>(b), missing_left, nullptr};
        }
    }
    return best;
}

// Adds what the candidates of a column gain in a node of a level: 0 where a child breaks a minimum.
void TreeGrower::add_gains(const Node& node, int feature, double* right, double* left) {
    if (n_outputs() > 1) return add_vector_gains(node, feature, right, left, 0.0);
    if (linear_) return add_linear_gains(node, feature, right, left);
    ListBins bins;
    split_kernels().add_gains(scan_any(node, feature, bins), right, left);
}

Split TreeGrower::best_drawn_of_level(std::span<const int> level, int feature) {
    std::vector<ColumnScan> nodes;
    std::vector<char> enough;
    for (const int number : level) {
        const Node& node = node_at(number);
        if (node.n_rows == 0) continue;
        nodes.push_back(scan_of(node, feature));
        enough.push_back(enough_rows(node));
    }
    return drawn_of_level(nodes, enough);
}

Split TreeGrower::best_set_of_level(std::span<const int> level, int feature) {
    std::vector<ColumnScan> scans;
    for (const int number : level)
        if (enough_rows(node_at(number)))
            for (int output = 0; output < n_outputs(); ++output)
                scans.push_back(scan_of(node_at(number), feature, output));
    Split best;
    scan_category(scans, plan_.kind(feature), plan_.category, true, best, nullptr,
                  static_cast<std::size_t>(n_outputs()));
    if (linear_ && best.found()) {
        best.gain = 0;
        for (const int number : level)
            if (enough_rows(node_at(number)))
                best.gain += std::max(0.0, linear_gain(node_at(number), best.decision));
    }
    return best;
}

// All nodes of a level share the split with the largest sum of gains.
void TreeGrower::search_level(std::span<const int> level, std::span<const Build> builds) {
    std::vector<int> columns = columns_for(node_at(level.front()), level.front());
    pool_.check_room(2 * static_cast<std::int64_t>(builds.size()));
    sum(builds, [](int, int) {});

    std::vector<Split> best_of(columns.size());
    const std::int64_t work = static_cast<std::int64_t>(level.size()) * layout_.n_bins();
    parallel_for(useful_threads(n_threads_, 4 * work), std::ssize(columns), [&](std::int64_t c) {
        const auto at = static_cast<std::size_t>(c);
        best_of[at] = ranks() ? best_ranked(level, columns[at]) : best_of_level(level, columns[at]);
    });
    Split shared;
    for (const Split& split : best_of)
        if (split.found() && split.gain > shared.gain) shared = split;
    std::erase_if(columns, [&](int column) { return plan_.is_category(column); });
    share_split(level, columns, shared);
}

// Gives every node of a level the shared split, if it gains enough, with what it means for the node.
void TreeGrower::share_split(std::span<const int> level, std::span<const int> columns,
                             Split& shared) {
    double level_score = 0;
    for (const int number : level) level_score += std::fabs(node_at(number).score);
    if (exact_) {
        std::vector<ExactSearch::NodeView> views;
        for (const int number : level)
            if (node_at(number).n_rows > 0) views.push_back(exact_view(number, columns, shared));
        exact_->refine_level(views, histogram_of(), level_score, shared, n_threads_);
    }
    if (!shared.found() || (!ranks() && !is_gain(shared.gain, level_score, gain_to_grow_))) return;

    const Decision& decision = shared.decision;
    for (const int number : level) {
        Node& node = node_at(number);
        node.split = shared;
        node.split.gain = 0;
        node.split.left = {};
        node.split.more_left.assign(more_packed_.size(), Sums{});
        if (node.n_rows == 0) continue;
        ListBins bins;
        const ColumnScan scan = scan_any(node, decision.feature, bins);
        if (exact_ && !decision.set) {
            node.split = exact_->share_of(shared, scan, exact_view(number, columns, shared));
            continue;
        }
        node.split.left = left_sums(scan, decision);
        note_left_sums(node, node.split);
        if (linear_) {
            if (enough_rows(node)) node.split.gain = std::max(0.0, linear_gain(node, decision));
            fit_children_of(number);
            continue;
        }
        if (decision.set) {
            if (enough_rows(node))
                node.split.gain = gain_of_set(
                    n_outputs() > 1 ? scans_of(node, decision.feature) : std::vector{scan},
                    plan_.kind(decision.feature), plan_.category, decision);
            continue;
        }
        // What this node adds to the shared gain: 0 where a child would break a minimum.
        std::vector<double> gains(2 * static_cast<std::size_t>(scan.n_values), 0.0);
        double *right = gains.data(), *left = right + scan.n_values;
        if (enough_rows(node)) add_gains(node, decision.feature, right, left);
        node.split.gain =
            decision.missing_left && scan.has_missing ? left[decision.last] : right[decision.last];
    }
    if (ranks() && !is_worth(level, level_score))
        for (const int number : level) node_at(number).split = {};
}

} // namespace ceiba
