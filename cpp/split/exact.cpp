#include "split/exact.hpp"

#include "base/settings.hpp"
#include "data/binning/edge_rule.hpp"
#include "parallel/pool.hpp"
#include "split/entropy_bounds.hpp"
#include "split/inner_bounds.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>

namespace ceiba {

namespace {

// Costs of reading a row of a sorted column, and of moving a row of the node to its place.
// Reading one of the node's own rows costs 1.
constexpr std::int64_t kSliceCost = 2, kSortCost = 20;

// Upper bounds of the gains inside a column's bins.
std::vector<double>& bounds_room(int n) {
    thread_local std::vector<double> bounds;
    if (bounds.size() < static_cast<std::size_t>(n)) bounds.resize(static_cast<std::size_t>(n));
    return bounds;
}

} // namespace

bool wins(double gain, const Decision& a, double other_gain, const Decision& b) {
    if (gain != other_gain) return gain > other_gain;
    if (a.feature != b.feature) return a.feature < b.feature;
    if (a.last != b.last) return a.last < b.last;
    return a.missing_left && !b.missing_left;
}

bool is_better(const Split& one, const Split& other) {
    return wins(one.gain, one.decision, other.gain, other.decision);
}

ExactSearch::ExactSearch(const BinnedMatrix& binned, std::shared_ptr<const RankedColumns> ranked)
    : binned_(&binned), ranked_(std::move(ranked)) {
    for (int j = 0; j < binned.n_features(); ++j) {
        std::vector<std::uint32_t> first{0};
        for (const double edge : binned.mapper().edges(j))
            first.push_back(ranked_->n_values_up_to(j, edge));
        first.push_back(static_cast<std::uint32_t>(ranked_->values(j).size()));
        first_ranks_.push_back(std::move(first));
    }
    const auto n_rows = static_cast<std::size_t>(binned.n_rows());
    marks_.need(n_rows);
    std::fill_n(marks_.data(), n_rows, 0);
}

void ExactSearch::start(const OutputRows& words, std::span<const Packing> packings,
                        const RowRange& rows, const GainRule& rule, double min_gain,
                        int n_threads) {
    words_ = words;
    rule_ = rule;
    min_gain_ = min_gain;
    limits_.clear();
    for (std::size_t k = 0; k < packings.size(); ++k)
        limits_.push_back(limits_of(k, packings[k], rows, n_threads));
}

RowLimits ExactSearch::limits_of(std::size_t output, const Packing& packing, const RowRange& rows,
                                 int n_threads) const {
    const std::int64_t n = rows.end - rows.begin, size = settings().chunk_rows;
    std::vector<RowLimits> parts(static_cast<std::size_t>((n + size - 1) / size));
    parallel_for(
        useful_threads(n_threads, n), static_cast<std::int64_t>(parts.size()), [&](std::int64_t c) {
            RowLimits own{0, std::numeric_limits<double>::infinity(), 0, 0};
            const std::int64_t end = std::min(rows.end, rows.begin + (c + 1) * size);
            for (std::int64_t i = rows.begin + c * size; i < end; ++i) {
                const auto row = rows.rows == nullptr ? static_cast<std::int32_t>(i) : rows.rows[i];
                const Sums sums = unpack(words_.of_row(output, row), packing);
                const double gradient = std::fabs(static_cast<double>(sums.gradient)),
                             hessian = static_cast<double>(sums.hessian),
                             share = 1 / static_cast<double>(sums.count);
                own.gradient = std::max(own.gradient, gradient * share);
                own.hessian = std::min(own.hessian, hessian * share);
                // A hessian sum of 0 does not bound the gradients.
                if (hessian == 0)
                    own.free = std::numeric_limits<double>::infinity();
                else
                    own.ratio = std::max(own.ratio, gradient / hessian);
            }
            parts[static_cast<std::size_t>(c)] = own;
        });
    RowLimits limits = parts[0];
    for (const RowLimits& part : parts) {
        limits.gradient = std::max(limits.gradient, part.gradient);
        limits.hessian = std::min(limits.hessian, part.hessian);
        limits.ratio = std::max(limits.ratio, part.ratio);
        limits.free = std::max(limits.free, part.free);
    }
    constexpr double kMore = 1 + 0x1p-40; // for rounding
    limits.gradient *= packing.gradient_unit * kMore;
    limits.hessian *= packing.hessian_unit / kMore;
    limits.ratio *= packing.gradient_unit / packing.hessian_unit * kMore;
    return limits;
}

std::vector<ColumnScan> ExactSearch::scans_of(int node, int feature, const ScanOf& scan_of) const {
    std::vector<ColumnScan> scans;
    for (std::size_t k = 0; k < words_.n_outputs(); ++k)
        scans.push_back(scan_of(node, feature, static_cast<int>(k)));
    return scans;
}

// Upper bound of the gain of a threshold inside a bin, over all outputs.
void ExactSearch::bound_bins(std::span<const ColumnScan> scans, double score,
                             double* bounds) const {
    if (rule_.entropy != Entropy::none) return entropy_bounds(scans, bounds);
    inner_bounds(scans[0], limits_[0], false, bounds);
    if (scans.size() == 1) return;
    const auto n = static_cast<std::size_t>(scans[0].n_values);
    std::vector<double> own(n);
    for (std::size_t k = 1; k < scans.size(); ++k) {
        inner_bounds(scans[k], limits_[k], false, own.data());
        for (std::size_t b = 0; b < n; ++b) bounds[b] += own[b];
    }
    // The sums of gains and of bounds round differently.
    for (std::size_t b = 0; b < n; ++b) bounds[b] += 0x1p-40 * (std::fabs(bounds[b]) + score);
}

// n marks that no row has yet.
std::uint32_t ExactSearch::new_marks(std::size_t n) {
    if (n > std::numeric_limits<std::uint32_t>::max() - next_mark_) {
        std::fill_n(marks_.data(), marks_.size(), 0);
        next_mark_ = 1;
    }
    const std::uint32_t first = next_mark_;
    next_mark_ += static_cast<std::uint32_t>(n);
    return first;
}

void ExactSearch::mark_rows(const RowRange& rows, std::uint32_t mark) {
    std::uint32_t* marks = marks_.data();
    if (rows.rows == nullptr) {
        std::fill(marks + rows.begin, marks + rows.end, mark);
        return;
    }
    for (std::int64_t i = rows.begin; i < rows.end; ++i) marks[rows.rows[i]] = mark;
}

std::int64_t ExactSearch::slice_size(int feature, int bin) const {
    const auto first = first_ranks(feature);
    const auto starts = ranked_->starts(feature);
    const auto b = static_cast<std::size_t>(bin);
    return starts[first[b + 1]] - starts[first[b]];
}

// The marked rows of a bin, in the order of the sorted column. The mark is unpredictable, so every
// row is written, and the next one overwrites it if it was not marked.
void ExactSearch::collect_slice(int feature, int bin, std::uint32_t mark,
                                std::vector<RankedRow>& out) const {
    const auto first = first_ranks(feature);
    const auto starts = ranked_->starts(feature);
    const std::int32_t* order = ranked_->order(feature).data();
    const std::uint32_t* marks = marks_.data();
    const auto b = static_cast<std::size_t>(bin);
    const std::int32_t begin = starts[first[b]], end = starts[first[b + 1]];
    out.resize(static_cast<std::size_t>(end - begin) + 1);
    RankedRow* next = out.data();
    std::uint32_t rank = first[b];
    for (std::int32_t i = begin; i < end; ++i) {
        while (i >= starts[rank + 1]) ++rank;
        const std::int32_t row = order[i];
        *next = RankedRow(rank, row);
        next += marks[row] == mark ? 1 : 0;
    }
    out.resize(static_cast<std::size_t>(next - out.data()));
}

namespace {

template <class Code, class Keep>
void for_opened_rows(const Code* codes, const RowRange& rows, const std::uint8_t* opened,
                     Keep keep) {
    if (rows.rows == nullptr) {
        for (std::int64_t row = rows.begin; row < rows.end; ++row)
            if (opened[codes[row]]) keep(static_cast<std::int32_t>(row));
        return;
    }
    for (std::int64_t i = rows.begin; i < rows.end; ++i)
        if (opened[codes[rows.rows[i]]]) keep(rows.rows[i]);
}

} // namespace

// The node's rows in the opened bins, by rank.
void ExactSearch::collect_rows(int feature, const RowRange& rows, std::span<const Opened> bins,
                               std::vector<RankedRow>& out) const {
    const auto n_codes = static_cast<std::size_t>(binned_->mapper().missing_code(feature)) + 1;
    std::vector<std::uint8_t> opened(n_codes, 0);
    for (const Opened& one : bins) opened[static_cast<std::size_t>(one.bin)] = 1;
    const std::vector<Code> meanings = binned_->meanings(feature);
    if (!meanings.empty()) { // translated to codes of the shared column
        std::vector<std::uint8_t> of_shared;
        for (const Code code : meanings) of_shared.push_back(opened[code]);
        opened.swap(of_shared);
    }
    const std::uint32_t* ranks = ranked_->ranks(feature);
    const auto keep = [&](std::int32_t row) { out.emplace_back(ranks[row], row); };
    binned_->with_column(
        feature, [&](const auto* codes) { for_opened_rows(codes, rows, opened.data(), keep); });
    std::sort(out.begin(), out.end());
}

std::vector<ExactSearch::Opened> ExactSearch::promising(int feature, const double* bounds,
                                                        double score, double gain) const {
    const auto first = first_ranks(feature);
    std::vector<Opened> bins;
    for (std::size_t b = 0; b + 1 < first.size(); ++b) {
        if (!(bounds[b] >= gain) || first[b + 1] - first[b] < 2) continue;
        if (std::isinf(bounds[b]) || is_gain(bounds[b], score, min_gain_))
            bins.push_back({bounds[b], static_cast<int>(b)});
    }
    std::sort(bins.begin(), bins.end(), [](const Opened& one, const Opened& other) {
        return one.bound != other.bound ? one.bound > other.bound : one.bin < other.bin;
    });
    return bins;
}

bool ExactSearch::is_more_promising(const Task& one, const Task& other) {
    const double bound = one.bins[0].bound, other_bound = other.bins[0].bound;
    if (bound != other_bound) return bound > other_bound;
    return one.node != other.node ? one.node < other.node : one.feature < other.feature;
}

void ExactSearch::raise(std::atomic<double>& gain, double to) {
    double seen = gain.load();
    while (to > seen && !gain.compare_exchange_weak(seen, to)) {
    }
}

// A small node collects and sorts its rows of all opened bins of a column at once.
bool ExactSearch::reads_slices(const Task& task, const RowRange& rows) const {
    std::int64_t n_sorted = 0;
    for (const Opened& opened : task.bins) n_sorted += slice_size(task.feature, opened.bin);
    const std::int64_t n_own = rows.end - rows.begin,
                       n_found = n_sorted * n_own / std::max<std::int64_t>(1, binned_->n_rows());
    return kSliceCost * n_sorted < n_own + kSortCost * n_found;
}

void ExactSearch::open(const NodeView& node, const ScanOf& scan_of, std::uint32_t mark,
                       std::atomic<double>& gain, Task& task) const {
    const auto is_closed = [&](const Opened& opened) { return opened.bound < gain.load(); };
    const bool slices = reads_slices(task, node.rows); // the same choice as when rows were marked
    if (is_closed(task.bins[0])) return;
    task.best.gain = gain.load();
    task.best.decision.feature =
        std::numeric_limits<int>::max(); // every candidate with this gain wins the tie
    const ColumnWalk walk(scans_of(node.number, task.feature, scan_of), words_,
                          first_ranks(task.feature));
    thread_local std::vector<RankedRow> rows;
    const auto try_rows = [&] {
        walk.walk(rows, task.best);
        raise(gain, task.best.gain);
    };
    if (slices) {
        for (const Opened& opened : task.bins) {
            if (is_closed(opened)) break;
            rows.clear();
            collect_slice(task.feature, opened.bin, mark, rows);
            try_rows();
        }
    } else {
        std::erase_if(task.bins, is_closed);
        rows.clear();
        collect_rows(task.feature, node.rows, task.bins, rows);
        try_rows();
    }
    if (task.best.decision.feature != task.feature) task.best.decision.feature = -1;
}

// The values of a category are its levels; levels that occur have a rank.
std::shared_ptr<const CodeSet> ExactSearch::set_of_ranks(const Decision& decision) const {
    const auto levels = ranked_->values(decision.feature);
    CodeSet ranks;
    for (std::size_t rank = 0; rank < levels.size(); ++rank) {
        const auto level = static_cast<std::int64_t>(levels[rank]);
        if (decision.set->has(binned_->mapper().code_of_level(decision.feature, level)))
            ranks.add(static_cast<Code>(rank));
    }
    return std::make_shared<const CodeSet>(std::move(ranks));
}

// One threshold divides all these rows.
void ExactSearch::settle(std::span<const RowRange> together, Split& split) const {
    Decision& decision = split.decision;
    if (decision.set) {
        decision.set = set_of_ranks(decision);
        return;
    }
    const std::uint32_t* ranks = ranked_->ranks(decision.feature);
    constexpr std::uint32_t kNone = RankedColumns::kMissing;
    std::uint32_t below = kNone, above = kNone; // ranks next to the threshold
    const auto look = [&](std::uint32_t rank) {
        // Missing rows have the largest rank, which equals kNone.
        if (rank > decision.last)
            above = std::min(above, rank);
        else if (below == kNone || rank > below)
            below = rank;
    };
    for (const RowRange& range : together)
        for (std::int64_t i = range.begin; i < range.end; ++i)
            look(ranks[range.rows == nullptr ? i : range.rows[i]]);
    const auto values = ranked_->values(decision.feature);
    split.threshold = above == kNone ? std::numeric_limits<double>::infinity()
                                     : edge_between(values[below], values[above]);
    // The last rank that goes left: rows outside the sample may lie between the two neighbors.
    decision.last = ranked_->n_values_up_to(decision.feature, split.threshold) - 1;
}

void ExactSearch::refine(std::span<const NodeView> nodes, const ScanOf& scan_of, int n_threads) {
    // The bins to open, of all columns and nodes.
    std::vector<Task> tasks;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        if (nodes[i].best->found() && !nodes[i].best->decision.set)
            speak_of_ranks(nodes[i].best->decision);
        for (const int feature : nodes[i].columns) tasks.push_back({i, feature, {}, {}});
    }
    std::int64_t work = 0;
    for (const Task& task : tasks) work += 4 * binned_->mapper().n_value_bins(task.feature);
    parallel_for(useful_threads(n_threads, work), static_cast<std::int64_t>(tasks.size()),
                 [&](std::int64_t t) {
                     Task& task = tasks[static_cast<std::size_t>(t)];
                     const NodeView& node = nodes[task.node];
                     const auto scans = scans_of(node.number, task.feature, scan_of);
                     std::vector<double>& bounds = bounds_room(scans[0].n_values);
                     bound_bins(scans, std::fabs(node.score), bounds.data());
                     task.bins =
                         promising(task.feature, bounds.data(), node.score, node.best->gain);
                 });
    std::erase_if(tasks, [](const Task& task) { return task.bins.empty(); });
    if (tasks.empty()) return;
    std::sort(tasks.begin(), tasks.end(), is_more_promising);

    const std::uint32_t first_mark = new_marks(nodes.size());
    const auto mark_of = [&](std::size_t node) {
        return first_mark + static_cast<std::uint32_t>(node);
    };
    std::vector<std::uint8_t> marked(nodes.size(), 0);
    work = 0;
    for (const Task& task : tasks) {
        const RowRange& rows = nodes[task.node].rows;
        if (reads_slices(task, rows)) marked[task.node] = 1;
        work += rows.end - rows.begin;
    }
    n_threads = useful_threads(n_threads, work);
    parallel_for(n_threads, static_cast<std::int64_t>(nodes.size()), [&](std::int64_t i) {
        const auto node = static_cast<std::size_t>(i);
        if (marked[node]) mark_rows(nodes[node].rows, mark_of(node));
    });
    // The best gain of each node so far, shared by all tasks.
    std::vector<std::atomic<double>> gains(nodes.size());
    for (std::size_t i = 0; i < nodes.size(); ++i) gains[i] = nodes[i].best->gain;
    parallel_for(n_threads, static_cast<std::int64_t>(tasks.size()), [&](std::int64_t t) {
        Task& task = tasks[static_cast<std::size_t>(t)];
        open(nodes[task.node], scan_of, mark_of(task.node), gains[task.node], task);
    });
    for (const Task& task : tasks)
        if (task.best.found() && is_better(task.best, *nodes[task.node].best))
            *nodes[task.node].best = task.best;
}

} // namespace ceiba
