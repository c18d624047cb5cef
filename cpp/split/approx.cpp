#include "split/approx.hpp"

#include "base/settings.hpp"
#include "data/binning/edge_rule.hpp"
#include "rows/node_bins.hpp"

#include <limits>

namespace ceiba {

ApproxSearch::ApproxSearch(std::shared_ptr<const RankedColumns> ranked, double eps, bool by_node,
                           std::vector<std::uint8_t> kinds, const CategoryRule& category)
    : ranked_(ranked), by_node_(by_node), kinds_(std::move(kinds)), category_(category),
      recoded_(ranked, Proposal::most_bins(eps), !by_node_, kinds_),
      proposal_(std::move(ranked), eps, kinds_) {}

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

    const ColumnScan scanned{bins.planes(),
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
                             {}};
    Split found;
    if (is_category(feature)) {
        // Codes are ranks: every distinct value is a bin.
        const auto kind = static_cast<CategoryKind>(kinds_[static_cast<std::size_t>(feature)]);
        scan_category({&scanned, 1}, kind, category_, false, found);
        if (found.found() && found.gain > best.gain) best = found;
        return;
    }
    split_kernels().scan_column(scanned, found);
    if (!found.found() || !(found.gain > best.gain)) return;
    const auto column = ranked_->values(feature);
    // From here on the decision is in ranks.
    Code& last = found.decision.last;
    const std::size_t cut = last;
    if (cut < cuts.size()) {
        const std::uint32_t rank = cuts[cut];
        found.threshold = edge_between(column[rank], column[values.rank_above(rank)]);
        // Rows of other nodes may have values in between.
        last = ranked_->n_values_up_to(feature, found.threshold) - 1;
    } else { // missing against present
        last = static_cast<Code>(column.size());
        found.threshold = std::numeric_limits<double>::infinity();
    }
    best = found;
}

void ApproxSearch::settle(Split& split) const {
    if (by_node_ || split.decision.set) return; // already in ranks
    const int feature = split.decision.feature;
    const Cuts& cuts = recoded_.cuts(feature);
    Code& last = split.decision.last;
    const std::size_t cut = last;
    if (cut < cuts.size()) {
        last = cuts[cut];
        split.threshold = binned().mapper().edges(feature)[cut];
    } else {
        last = static_cast<Code>(ranked_->values(feature).size());
        split.threshold = std::numeric_limits<double>::infinity();
    }
}

} // namespace ceiba
