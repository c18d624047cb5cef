#include "split/approx.hpp"

#include "base/settings.hpp"
#include "data/edge_rule.hpp"
#include "rows/node_bins.hpp"

#include <limits>

namespace ceiba {

ApproxSearch::ApproxSearch(std::shared_ptr<const RankedColumns> ranked, double eps, bool by_node)
    : ranked_(ranked), by_node_(by_node), recoded_(ranked, Proposal::most_bins(eps), !by_node_),
      proposal_(std::move(ranked), eps) {}

void ApproxSearch::start(const Quantized& quantized, std::span<const Shard> shards,
                         std::span<const std::int32_t> rows, bool all_rows,
                         std::span<const int> columns, int n_threads) {
    quantized_ = &quantized;
    shards_ = shards;
    proposal_.start(quantized, rows, all_rows, n_threads);
    if (by_node_) return;
    proposal_.of_tree(shards, columns, n_threads, cuts_);
    recoded_.recode(columns, cuts_, n_threads);
}

void ApproxSearch::scan(const NodeView& node, int feature, const GainRule& rule,
                        Split& best) const {
    struct Room {
        NodeValues values;
        NodeBins bins;
        Cuts cuts;
    };
    thread_local Room room;
    auto& [values, bins, cuts] = room;
    values.read(shards_, node.number, *ranked_, feature);
    proposal_.of_node(shards_, node.number, feature, values, cuts);
    bins.sum(values, cuts, *quantized_);

    Split found;
    split_kernels().scan_column({bins.first(),
                                 bins.rest(),
                                 feature,
                                 static_cast<int>(cuts.size()) + 1,
                                 ranked_->has_missing(feature),
                                 &quantized_->packing,
                                 &rule,
                                 node.sums,
                                 node.score,
                                 node.bounds,
                                 node.direction,
                                 false,
                                 {}},
                                found);
    if (!found.found() || !(found.gain > best.gain)) return;
    const auto column = ranked_->values(feature);
    const auto cut = static_cast<std::size_t>(found.bin);
    if (cut < cuts.size()) {
        found.rank = cuts[cut];
        found.threshold = edge_between(column[found.rank], column[values.rank_above(found.rank)]);
        // Values that no row of the node has may lie between; other rows have them.
        found.rank = ranked_->n_values_up_to(feature, found.threshold) - 1;
    } else { // missing against present
        found.rank = static_cast<std::uint32_t>(column.size());
        found.threshold = std::numeric_limits<double>::infinity();
    }
    found.bin = static_cast<int>(found.rank); // what a bin is elsewhere
    best = found;
}

void ApproxSearch::settle(Split& split) const {
    if (by_node_) return;
    const Cuts& cuts = recoded_.cuts(split.feature);
    const auto cut = static_cast<std::size_t>(split.bin);
    if (cut < cuts.size()) {
        split.rank = cuts[cut];
        split.threshold = binned().mapper().edges(split.feature)[cut];
    } else {
        split.rank = static_cast<std::uint32_t>(ranked_->values(split.feature).size());
        split.threshold = std::numeric_limits<double>::infinity();
    }
    split.bin = static_cast<int>(split.rank); // what a bin is elsewhere
}

} // namespace ceiba
