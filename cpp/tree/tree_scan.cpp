// The columns of a node: from their bins to the best split among them.

#include "base/settings.hpp"
#include "parallel/pool.hpp"
#include "split/drawn.hpp"
#include "tree/tree_grower.hpp"

#include <algorithm>

namespace ceiba {

// Ties go to the lowest column, whatever the order in which columns were scanned.
void TreeGrower::take_better(const Split& split, Split& best) {
    if (!split.found()) return;
    if (split.gain > best.gain ||
        (split.gain == best.gain && best.found() && split.decision.feature < best.decision.feature))
        best = split;
}

ExactSearch::ScanOf TreeGrower::histogram_of() {
    return [this](int number, int feature, int output) {
        return scan_of(node_at(number), feature, output);
    };
}

ColumnScan TreeGrower::scan_of(const Node& node, int feature, int output) {
    const Planes bins = layout_.of_feature(pool_.words(node.histogram), n_planes(), feature);
    PlanesOf<const std::uint64_t> own{bins.words, bins.stride, linear_ ? 2 : bins.n_planes, bins.n};
    if (n_outputs() > 1) { // the two planes of the output
        const Outputs& outputs = packed_.packing.outputs;
        const int gradients = outputs.gradient_plane(output);
        own = {bins.plane(gradients), bins.stride * (outputs.rest_plane(output) - gradients), 2,
               bins.n};
    }
    return scan_bins(node, feature, own, output);
}

ColumnScan TreeGrower::scan_any(const Node& node, int feature, ListBins& bins) {
    if (layout_.has(feature)) return scan_of(node, feature);
    lists_->sum_feature(static_cast<int>(&node - nodes_->data()), feature, bins);
    return scan_bins(node, feature, bins.planes());
}

ColumnScan TreeGrower::scan_bins(const Node& node, int feature, PlanesOf<const std::uint64_t> bins,
                                 int output) const {
    return {bins,
            feature,
            mapper().n_value_bins(feature),
            mapper().has_missing(feature),
            &packed(output).packing,
            &rule_,
            sums_of(node, output),
            n_outputs() == 1 ? node.score : score_of(node, output),
            node.bounds,
            plan_.direction(feature),
            exact_ != nullptr,
            {},
            plan_.extra_trees,
            plan_.extra_trees ? drawn_lot(node, feature) : 0,
            0.0,
            rule_.estimate_rows && is_zero_first(feature)};
}

bool TreeGrower::is_zero_first(int feature) const {
    const auto edges = mapper().edges(feature);
    return edges.empty() || edges.front() >= 0;
}

// Nodes of a level of a symmetric tree share what they draw.
std::uint64_t TreeGrower::drawn_lot(const Node& node, int feature) const {
    const bool shared = plan_.grow_policy == GrowPolicy::symmetric;
    const auto place = shared ? static_cast<std::uint64_t>(node.depth)
                              : static_cast<std::uint64_t>(&node - nodes_->data());
    return lot_of(key_, kDrawnStage, place, feature);
}

void TreeGrower::scan_one(const ColumnScan& scan, Split& best) const {
    if (plan_.is_category(scan.feature))
        scan_category({&scan, 1}, plan_.kind(scan.feature), plan_.category, false, best);
    else if (scan.drawn)
        scan_drawn(scan, best);
    else
        split_kernels().scan_column(scan, best);
}

// scan_one(); returns whether the column is hopeful.
bool TreeGrower::scan_hopeful(const Node& node, const ColumnScan& scan, Split& best) const {
    if (!plan_.is_category(scan.feature) && !scan.drawn)
        return is_hopeful(node, split_kernels().scan_column(scan, best));
    Split own;
    scan_one(scan, own);
    take_better(own, best);
    return is_hopeful(node, own.gain);
}

// Columns of two bins of values and nothing else can be scanned many at once.
void TreeGrower::find_pairs() {
    is_pair_.assign(static_cast<std::size_t>(mapper().n_features()), 0);
    if (exact_ || approx_ || plan_.extra_trees || plan_.linear_gain.exists()) return;
    for (int f = 0; f < mapper().n_features(); ++f)
        is_pair_[static_cast<std::size_t>(f)] = mapper().n_value_bins(f) == 2 &&
                                                !mapper().has_missing(f) && !plan_.is_category(f) &&
                                                plan_.direction(f) == 0;
}

// Scans the collected columns, of which at[i] is the place in found.columns, and forgets them.
void TreeGrower::scan_pairs(Found& found, PairColumns& pairs, const std::size_t* at, Split& best) {
    double gains[PairColumns::kMost];
    Split own;
    const Node& node = node_at(found.node);
    split_kernels().scan_pairs(scan_of(node, pairs.features[0]), pairs, gains, own);
    take_better(own, best);
    const double hopeless = hopeless_gain(node.score, gain_to_grow_);
    if (!found.hopeful.empty())
        for (int i = 0; i < pairs.n; ++i) found.hopeful[at[i]] = gains[i] > hopeless;
    count(counters().paired_columns, pairs.n);
    pairs.n = 0;
}

void TreeGrower::scan_group(Found& found, int group_number) {
    const std::vector<int>& columns = found.columns;
    Split& best = found.by_group[static_cast<std::size_t>(group_number)];
    const ColumnGroup& group = exchange_->groups()[static_cast<std::size_t>(group_number)];
    const Node& node = node_at(found.node);
    const auto scan = [&](int feature, Split& found_split) {
        if (n_outputs() > 1) return scan_outputs(node, feature, found_split);
        if (linear_) return scan_linear_column(node, feature, found_split);
        scan_one(scan_of(node, feature), found_split);
    };
    const bool plain = n_outputs() == 1 && !linear_;
    PairColumns pairs;
    std::size_t place_of_pair[PairColumns::kMost];
    auto at = std::lower_bound(columns.begin(), columns.end(), group.front());
    for (const int feature : group) {
        while (at != columns.end() && *at < feature) ++at;
        if (at == columns.end()) break;
        if (*at != feature) continue;
        const auto place = static_cast<std::size_t>(at - columns.begin());
        if (ranks()) {
            take_better(best_ranked({&found.node, 1}, feature), best);
        } else if (plain && is_pair(feature)) {
            place_of_pair[pairs.n] = place;
            pairs.features[pairs.n] = feature;
            pairs.places[pairs.n++] =
                static_cast<int>(layout_.first_bin(feature) - layout_.first_bin(pairs.features[0]));
            if (pairs.n == PairColumns::kMost) scan_pairs(found, pairs, place_of_pair, best);
        } else if (found.hopeful.empty()) {
            scan(feature, best);
        } else if (plain) { // one output, constant leaves
            found.hopeful[place] = scan_hopeful(node, scan_of(node, feature), best);
        } else {
            Split own;
            scan(feature, own);
            found.hopeful[place] = is_hopeful(node, own.gain);
            take_better(own, best);
        }
    }
    if (pairs.n > 0) scan_pairs(found, pairs, place_of_pair, best);
}

// The columns that are lists, some of a node at a time.
void TreeGrower::scan_lists(std::vector<Found>& found) {
    struct Task {
        Found* of;
        int begin, end;
        Split best;
    };
    std::vector<Task> tasks;
    std::int64_t work = 0;
    constexpr int kColumns = 512;
    for (Found& one : found) {
        if (one.columns.empty()) continue;
        const int n = lists_->n_columns(one.node);
        for (int begin = 0; begin < n; begin += kColumns)
            tasks.push_back({&one, begin, std::min(n, begin + kColumns), {}});
        work += 4 * lists_->n_entries(one.node) + 64 * n;
    }
    parallel_for(useful_threads(n_threads_, work), std::ssize(tasks), [&](std::int64_t i) {
        Task& task = tasks[static_cast<std::size_t>(i)];
        Found& one = *task.of;
        const Node& node = node_at(one.node);
        ListBins bins;
        auto at = std::lower_bound(one.columns.begin(), one.columns.end(),
                                   lists_->feature(one.node, task.begin));
        for (int k = task.begin; k < task.end; ++k) {
            const int feature = lists_->feature(one.node, k);
            while (at != one.columns.end() && *at < feature) ++at;
            if (at == one.columns.end()) break;
            if (*at != feature) continue;
            lists_->sum(one.node, k, bins);
            const ColumnScan scan = scan_bins(node, feature, bins.planes());
            if (one.hopeful.empty())
                scan_one(scan, task.best);
            else
                one.hopeful[static_cast<std::size_t>(at - one.columns.begin())] =
                    scan_hopeful(node, scan, task.best);
        }
    });
    for (Task& task : tasks) take_better(task.best, task.of->best);
}

} // namespace ceiba
