#include "rows/exchange.hpp"

#include "base/settings.hpp"
#include "parallel/pool.hpp"

#include <algorithm>
#include <atomic>
#include <deque>
#include <limits>

namespace ceiba {

namespace {

template <class Entry>
Entry* room(std::vector<Entry>& scratch, std::size_t n) {
    if (scratch.size() < n) scratch.resize(n, Entry{});
    return scratch.data();
}

// Zero between two uses (the kernels that empty it leave zeros), so that it need not be cleared for
// each node.
Scratch& thread_scratch() {
    thread_local Scratch scratch;
    return scratch;
}

} // namespace

Exchange::Exchange(const BinnedMatrix& binned, const RankedColumns* ranked)
    : binned_(&binned), layout_(binned) {
    const std::int64_t n = binned.n_rows(), size = settings().shard_rows > 0
                                                       ? settings().shard_rows
                                                       : std::max<std::int64_t>(n, 1);
    for (std::int64_t first = 0; first < n; first += size)
        shards_.emplace_back(binned, ranked, first, std::min(size, n - first));
    if (shards_.size() > 1)
        count(counters().extra_shards, static_cast<std::int64_t>(shards_.size()) - 1);
}

void Exchange::start(const Quantized& quantized, std::span<const std::int32_t> rows,
                     bool all_rows) {
    quantized_ = &quantized;
    for (Shard& shard : shards_) {
        const auto from = std::lower_bound(rows.begin(), rows.end(), shard.first_row());
        const auto to = std::lower_bound(from, rows.end(), shard.first_row() + shard.n_rows());
        shard.start({from, to}, all_rows);
    }
}

std::int64_t Exchange::n_rows_of(int node) const {
    std::int64_t n = 0;
    for (const Shard& shard : shards_) n += shard.n_rows_of(node);
    return n;
}

RowRange Exchange::rows_of(int node) const {
    return shards_.front().rows_of(node);
}

void Exchange::write_leaf(int node, int leaf, LeafOfRow& leaf_of_row) const {
    for (const Shard& shard : shards_) shard.write_leaf(node, leaf, leaf_of_row);
}

std::int64_t Exchange::histogram_words() const {
    return layout_.n_bins() * (quantized_->packing.bins_are_pairs() ? 2 : 1);
}

BinRange Exchange::bins(std::uint64_t* histogram, int first_feature, int n_features) const {
    const std::int64_t from = layout_.offsets[static_cast<std::size_t>(first_feature)];
    const std::int64_t to = layout_.offsets[static_cast<std::size_t>(first_feature + n_features)];
    return {histogram + from,
            quantized_->packing.bins_are_pairs() ? histogram + layout_.n_bins() + from : nullptr,
            to - from};
}

// Sums stretches of the node's rows, counted over all shards, for as long as there are any. Returns
// whether there were; the bins are filled in any case.
bool Exchange::add_part(const Order& order, int group_number, RowQueue& queue,
                        const BinRange& bins) const {
    const FeatureGroup& group = binned_->groups()[static_cast<std::size_t>(group_number)];
    GroupView view;
    view.narrow = binned_->narrow();
    view.codes = view.narrow ? static_cast<const void*>(binned_->rows_of<std::uint8_t>(group))
                             : binned_->rows_of<std::uint16_t>(group);
    view.width = group.width;
    view.stride = layout_.stride;
    view.n_codes = layout_.n_codes.data() + group.first;
    view.n_columns = group.n_columns;
    if (!group.places.empty()) {
        view.places = group.places.data();
        view.codes_of_column = group.codes_of_column.data();
    }

    const HistogramKernels& kernels = histogram_kernels();
    const Packing& packing = quantized_->packing;
    const auto n_scratch =
        static_cast<std::size_t>(group.n_columns) * static_cast<std::size_t>(layout_.stride);
    std::uint64_t* words =
        packing.form == Form::wide ? nullptr : room(thread_scratch().words, n_scratch);
    Pair* pairs = packing.form == Form::wide ? room(thread_scratch().pairs, n_scratch) : nullptr;
    const std::int64_t block = packing.form == Form::packed
                                   ? std::min(packing.block_rows, settings().block_rows)
                                   : std::numeric_limits<std::int64_t>::max() / 2;

    std::int64_t pending = 0, n_flushes = 0;
    bool any = false;
    auto flush = [&] {
        kernels.flush_packed(view, words, packing.count_bits, n_flushes == 0, bins);
        pending = 0;
        ++n_flushes;
    };
    for (std::int64_t from, to; queue.take(from, to);) {
        any = true;
        for (const Shard& shard : shards_) {
            const RowRange all = shard.rows_of(order.node);
            const std::int64_t n = all.end - all.begin;
            RowRange piece = all;
            const std::int64_t end = all.begin + std::clamp<std::int64_t>(to, 0, n);
            piece.begin = all.begin + std::clamp<std::int64_t>(from, 0, n);
            from -= n;
            to -= n;
            while (piece.begin < end) {
                piece.end = std::min(end, piece.begin + block - pending);
                if (packing.form == Form::wide)
                    kernels.add_pairs(view, piece, quantized_->pairs.data(), pairs);
                else
                    kernels.add_words(view, piece, quantized_->words.data(), words);
                pending += piece.end - piece.begin;
                piece.begin = piece.end;
                if (packing.form == Form::packed && pending == block) flush();
            }
        }
    }
    switch (packing.form) {
    case Form::single:
        kernels.move_words(view, words, bins);
        break;
    case Form::wide:
        kernels.move_pairs(view, pairs, bins);
        break;
    case Form::packed:
        if (pending > 0 || n_flushes == 0) flush();
        count(counters().flushes, n_flushes);
        break;
    }
    return any;
}

void Exchange::sum(std::span<const Order> orders, std::span<const int> groups, int n_threads,
                   const std::function<void(int, int)>& summed) {
    const auto n_orders = static_cast<std::int64_t>(orders.size()),
               n_groups = static_cast<std::int64_t>(groups.size());
    std::int64_t n_rows = 0;
    for (const Order& order : orders) n_rows += n_rows_of(order.node);
    // Scanning a group costs about as much as adding a few hundred rows to it.
    n_threads = useful_threads(n_threads, (n_rows + 512 * n_orders) * binned_->n_features());

    // A large node is shared where groups and nodes alone would not keep every thread busy to the
    // end: each thread takes stretches of its rows for as long as there are any and sums them in
    // bins of its own, which are then added up.
    struct Job {
        int order, group, n_parts;
        std::size_t first_part; // in parts_; the first part of a job goes to its histogram
        RowQueue queue;
        std::atomic<int> left;
        std::vector<std::uint8_t> filled; // by part

        Job(int order, int group, int n_parts, std::size_t first_part, std::int64_t n_rows,
            std::int64_t step)
            : order(order), group(group), n_parts(n_parts), first_part(first_part),
              queue(n_rows, step), left(n_parts), filled(static_cast<std::size_t>(n_parts), 0) {}
    };
    struct Task {
        Job* job;
        int part;
    };
    std::deque<Job> jobs;
    std::vector<Task> tasks;
    std::size_t n_spare = 0;
    // Adding up a part costs about as much as adding a thousand rows.
    const std::int64_t fewest_rows = std::max<std::int64_t>(1, settings().chunk_rows / 4);
    for (std::int64_t o = 0; o < n_orders; ++o) {
        const std::int64_t rows = n_rows_of(orders[static_cast<std::size_t>(o)].node);
        std::int64_t n_parts = 1;
        if (n_threads > 1 && n_orders * n_groups < std::int64_t{4} * n_threads)
            n_parts = std::clamp<std::int64_t>(rows / fewest_rows, 1, n_threads);
        // Whole blocks between two flushes; a part that comes late finds something left to do.
        const std::int64_t step =
            n_parts == 1 ? std::max<std::int64_t>(rows, 1)
                         : std::clamp<std::int64_t>(rows / (8 * n_parts) / 4096 * 4096, fewest_rows,
                                                    4 * settings().chunk_rows);
        for (std::int64_t g = 0; g < n_groups; ++g) {
            jobs.emplace_back(static_cast<int>(o), groups[static_cast<std::size_t>(g)],
                              static_cast<int>(n_parts), n_spare, rows, step);
            n_spare += static_cast<std::size_t>(n_parts) - 1;
            for (int part = 0; part < n_parts; ++part) tasks.push_back({&jobs.back(), part});
        }
    }
    if (parts_.size() < n_spare) parts_.resize(n_spare);

    parallel_for(n_threads, static_cast<std::int64_t>(tasks.size()), [&](std::int64_t i) {
        const auto [job, part] = tasks[static_cast<std::size_t>(i)];
        const Order& order = orders[static_cast<std::size_t>(job->order)];
        const FeatureGroup& group = binned_->groups()[static_cast<std::size_t>(job->group)];
        const BinRange target = bins(order.histogram, group.first, group.width);
        auto range_of = [&](std::vector<std::uint64_t>& part_bins) {
            return BinRange{part_bins.data(),
                            target.rest == nullptr ? nullptr : part_bins.data() + target.n,
                            target.n};
        };
        BinRange own = target;
        if (part > 0) {
            auto& part_bins = parts_[job->first_part + static_cast<std::size_t>(part) - 1];
            const auto size = static_cast<std::size_t>(target.n * (target.rest == nullptr ? 1 : 2));
            if (part_bins.size() < size) part_bins.resize(size);
            own = range_of(part_bins);
        }
        job->filled[static_cast<std::size_t>(part)] = add_part(order, job->group, job->queue, own);
        if (job->n_parts > 1) {
            if (job->left.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
            for (int p = 1; p < job->n_parts; ++p)
                if (job->filled[static_cast<std::size_t>(p)])
                    histogram_kernels().add_bins(
                        target,
                        range_of(parts_[job->first_part + static_cast<std::size_t>(p) - 1]));
            count(counters().merged_histograms);
        }
        summed(job->order, job->group);
    });
}

} // namespace ceiba
