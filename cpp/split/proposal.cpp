#include "split/proposal.hpp"

#include "data/binning/sketch.hpp"
#include "parallel/pool.hpp"
#include "parallel/rows.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace ceiba {

namespace {

// Exact sums over rows first_row to end_row of a node of a shard.
QuantileSummary summarize(const Shard& shard, int node, std::int64_t first_row,
                          std::int64_t end_row, const std::uint32_t* ranks,
                          const RowWeights& weights) {
    std::vector<SketchValue> found;
    auto take = [&](std::int64_t row) {
        if (ranks[row] != RankedColumns::kMissing)
            found.push_back({static_cast<double>(ranks[row]), weights[row]});
    };
    const RowRange range = shard.rows_of(node);
    if (range.rows == nullptr) {
        for (std::int64_t row = std::max(first_row, range.begin);
             row < std::min(end_row, range.end); ++row)
            take(row);
    } else {
        const std::int32_t *end = range.rows + range.end,
                           *at = std::lower_bound(range.rows + range.begin, end, first_row);
        for (; at != end && *at < end_row; ++at) take(*at);
    }
    return QuantileSummary::exact(found);
}

} // namespace

Proposal::Proposal(std::shared_ptr<const RankedColumns> ranked, double eps,
                   std::vector<std::uint8_t> kinds)
    : ranked_(std::move(ranked)), eps_(eps), kinds_(std::move(kinds)) {}

// Whether every value except the last is a cut.
bool Proposal::takes_all(int feature, Cuts& cuts) const {
    if (kinds_.empty() || kinds_[static_cast<std::size_t>(feature)] == 0) return false;
    const std::size_t n_values = ranked_->values(feature).size();
    cuts.resize(n_values > 0 ? n_values - 1 : 0);
    std::iota(cuts.begin(), cuts.end(), 0);
    return true;
}

int Proposal::most_bins(double eps) {
    // 1 / (1 / 49) is a little below 49.
    return static_cast<int>(std::floor(1 / eps * (1 + 0x1p-40)));
}

int Proposal::room(int feature) const {
    return std::max(1, most_bins(eps_) - (ranked_->has_missing(feature) ? 1 : 0));
}

void Proposal::start(const Quantized& quantized, std::span<const std::int32_t> rows, bool all_rows,
                     int n_threads) {
    hessians_ = RowWeights(quantized, false);
    counts_ = RowWeights(quantized, true);
    const std::int64_t n_rows = ranked_->n_rows();
    weights_.need(static_cast<std::size_t>(n_rows));
    std::uint64_t* weights = weights_.data();
    over_rows(n_rows, n_threads, [&](std::int64_t begin, std::int64_t end) {
        if (all_rows) {
            for (std::int64_t row = begin; row < end; ++row) weights[row] = hessians_[row];
            return;
        }
        std::fill(weights + begin, weights + end, 0);
        auto at = std::lower_bound(rows.begin(), rows.end(), begin);
        for (; at != rows.end() && *at < end; ++at) weights[*at] = hessians_[*at];
    });
}

void Proposal::of_tree(std::span<const Shard> shards, std::span<const int> columns, int n_threads,
                       std::vector<Cuts>& cuts) const {
    cuts.resize(static_cast<std::size_t>(ranked_->n_features()));
    auto of_column = [&](int f, Cuts& own) {
        if (takes_all(f, own)) return;
        const std::size_t n_values = ranked_->values(f).size();
        const bool few = n_values <= static_cast<std::size_t>(room(f));
        if ((few || shards.size() <= 1) && find_cuts(*ranked_, f, weights_.data(), room(f), own))
            return;
        thread_local std::vector<RankWeight> weighed;
        NodeValues values;
        values.read(shards, 0, *ranked_, f);
        if (shards.size() > 1 && values.weigh(hessians_, weighed) > 0)
            sketch(shards, 0, f, hessians_, static_cast<std::uint32_t>(n_values) - 1, own);
        else
            of_node(shards, 0, f, values, own);
    };
    const auto n_columns = static_cast<std::int64_t>(columns.size());
    parallel_for(useful_threads(n_threads, n_columns * ranked_->n_rows()), n_columns,
                 [&](std::int64_t c) {
                     const int f = columns[static_cast<std::size_t>(c)];
                     of_column(f, cuts[static_cast<std::size_t>(f)]);
                 });
}

void Proposal::of_node(std::span<const Shard> shards, int node, int feature,
                       const NodeValues& values, Cuts& cuts) const {
    if (takes_all(feature, cuts)) return;
    thread_local std::vector<RankWeight> weighed;
    const bool weightless = values.weigh(hessians_, weighed) == 0;
    const int most = room(feature);
    if (shards.size() > 1 && weighed.size() > static_cast<std::size_t>(most)) {
        sketch(shards, node, feature, weightless ? counts_ : hessians_, weighed.back().rank, cuts);
        return;
    }
    if (weightless) values.weigh(counts_, weighed);
    find_cuts(weighed, most, cuts);
}

void Proposal::sketch(std::span<const Shard> shards, int node, int feature,
                      const RowWeights& weights, std::uint32_t last, Cuts& cuts) const {
    constexpr std::int64_t kRows = QuantileSketch::kBlockRows;
    const std::uint32_t* ranks = ranked_->ranks(feature);
    const auto block_from = [&](std::int64_t first) {
        QuantileSummary block;
        for (const Shard& shard : shards) {
            if (shard.first_row() >= first + kRows || shard.first_row() + shard.n_rows() <= first)
                continue;
            block = QuantileSummary::merge(
                block, summarize(shard, node, first, first + kRows, ranks, weights));
        }
        return block;
    };
    QuantileSummary summary;
    if (ranked_->n_rows() <= kRows) {
        summary = block_from(0);
    } else {
        // Half of the error budget is for the sketch, half for the distance between candidates.
        QuantileSketch sketch(eps_ / 2);
        for (std::int64_t first = 0; first < ranked_->n_rows(); first += kRows)
            sketch.add_block(block_from(first));
        summary = sketch.summary();
    }
    cuts.clear();
    for (const double value : summary.cuts(room(feature))) {
        const auto rank = static_cast<std::uint32_t>(value);
        if (rank != last) cuts.push_back(rank);
    }
}

} // namespace ceiba
