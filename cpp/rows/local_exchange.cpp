#include "rows/local_exchange.hpp"

#include "base/settings.hpp"
#include "parallel/pool.hpp"
#include "rows/local_tree_rows.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <deque>
#include <limits>

namespace ceiba {

namespace {

constexpr std::int64_t kRowsOfPlanes = 2048;

// Sums of one thread, plane after plane.
template <class Entry>
struct PlaneSums {
    Entry* first;
    int n;
};

// Add to the planes of a histogram: those of pairs, then those of words.
void move_planes(const GroupView& view, std::size_t n_scratch, PlaneSums<Pair> pairs,
                 PlaneSums<std::uint64_t> words, const Planes& bins) {
    const HistogramKernels& kernels = histogram_kernels();
    for (int p = 0; p < pairs.n; ++p)
        kernels.move_pairs(view, pairs.first + static_cast<std::size_t>(p) * n_scratch,
                           {bins.plane(2 * p), bins.stride, 2, bins.n});
    for (int p = 0; p < words.n; ++p)
        kernels.move_words(view, words.first + static_cast<std::size_t>(p) * n_scratch,
                           {bins.plane(2 * pairs.n + p), bins.stride, 1, bins.n});
}

template <class Entry>
Entry* room(std::vector<Entry>& scratch, std::size_t n) {
    if (scratch.size() < n) scratch.resize(n, Entry{});
    return scratch.data();
}

// All zero between uses (the kernels that read it reset it), so that it need not be cleared for
// each node.
Scratch& thread_scratch() {
    thread_local Scratch scratch;
    return scratch;
}

} // namespace

std::uint64_t* LocalExchange::scratch_words(std::size_t n) {
    constexpr std::size_t kLine = 64 / sizeof(std::uint64_t);
    std::uint64_t* words = room(thread_scratch().words, n + kLine);
    const auto past = reinterpret_cast<std::uintptr_t>(words) / sizeof(std::uint64_t) % kLine;
    return words + (kLine - past) % kLine;
}

namespace {

// Stride of columns in scratch; constant for byte codes, so that addresses depend only on the code.
int scratch_stride(bool narrow, std::span<const int> n_codes) {
    return narrow ? 256 : *std::max_element(n_codes.begin(), n_codes.end());
}

} // namespace

LocalExchange::LocalExchange(const BinnedMatrix& binned, const RankedColumns* ranked,
                             bool routes_only)
    : binned_(&binned), ranked_(ranked) {
    for (const FeatureGroup& group : binned.groups()) groups_.push_back(group.features);
    lay_out();
    const std::int64_t n = binned.n_rows(), size = settings().shard_rows > 0
                                                       ? settings().shard_rows
                                                       : std::max<std::int64_t>(n, 1);
    for (std::int64_t first = 0; first < n; first += size)
        shards_.emplace_back(binned, routes_only ? nullptr : ranked, first,
                             std::min(size, n - first));
    if (shards_.size() > 1)
        count(counters().extra_shards, static_cast<std::int64_t>(shards_.size()) - 1);
}

void LocalExchange::lay_out() {
    layout_ = HistogramLayout(binned_->mapper(), groups_);
}

Measured LocalExchange::measure(const GradientView& view, const RowSelection& selection,
                                int n_threads) {
    view_ = view;
    selection_ = selection;
    return measure_rows(view_, selection_, n_threads);
}

PackSums LocalExchange::pack(const PackOrder& order, int n_threads) {
    start_shards();
    basis_of_nodes_.clear();
    const Outputs& outputs = order.packing.outputs;
    // Buffers of earlier trees are kept: fresh memory costs more than the sums.
    const auto n_more = static_cast<std::size_t>(outputs.n) - 1;
    if (more_outputs_.size() < n_more) more_outputs_.resize(n_more);
    if (order.output == 0) return pack_rows(view_, selection_, order, n_threads, quantized_);
    Quantized& own = more_outputs_[static_cast<std::size_t>(order.output) - 1];
    if (outputs.own_hessians) return pack_rows(view_, selection_, order, n_threads, own);
    const PackSums sums = pack_rows(view_, selection_, order, n_threads, pairs_to_words_);
    own.take_gradients(pairs_to_words_, binned_->n_rows(), n_threads);
    return sums;
}

void LocalExchange::take_planes(std::span<const std::uint64_t> words, int n_planes) {
    selection_ = {};
    start_shards();
    more_outputs_.clear();
    quantized_.packing = {};
    quantized_.packing.form = Form::planes;
    quantized_.packing.n_words = n_planes;
    quantized_.words.need(words.size());
    std::copy(words.begin(), words.end(), quantized_.words.data());
}

void LocalExchange::start_shards() {
    const std::span<const std::int32_t> rows = selection_.rows;
    for (Shard& shard : shards_) {
        const auto from = std::lower_bound(rows.begin(), rows.end(), shard.first_row());
        const auto to = std::lower_bound(from, rows.end(), shard.first_row() + shard.n_rows());
        shard.start({from, to}, selection_.all);
    }
}

std::int64_t LocalExchange::n_rows_of(int node) const {
    std::int64_t n = 0;
    for (const Shard& shard : shards_) n += shard.n_rows_of(node);
    return n;
}

void LocalExchange::apply(std::span<SplitOrder> orders, int n_threads) {
    apply_splits(shards_, orders, n_threads);
    for (SplitOrder& order : orders) {
        order.n_left = n_rows_of(order.left);
        order.n_right = n_rows_of(order.right);
    }
}

void LocalExchange::end(std::span<const Home> homes, std::int64_t n_nodes, int n_threads,
                        std::unique_ptr<TreeRows>& rows) {
    auto* local = dynamic_cast<LocalTreeRows*>(rows.get());
    if (local == nullptr) {
        rows = std::make_unique<LocalTreeRows>();
        local = static_cast<LocalTreeRows*>(rows.get());
    }
    LeafOfRow& leaves = local->start(binned_->n_rows(), binned_, ranked_, n_nodes, selection_);
    parallel_for(useful_threads(n_threads, n_rows_of(0)), std::ssize(homes), [&](std::int64_t i) {
        const Home& home = homes[static_cast<std::size_t>(i)];
        if (!home.had_rows) return;
        for (const Shard& shard : shards_) shard.write_leaf(static_cast<int>(i), home.node, leaves);
    });
}

GroupView LocalExchange::view_of(int group_number) const {
    const FeatureGroup& group = binned_->groups()[static_cast<std::size_t>(group_number)];
    GroupView view;
    view.narrow = group.narrow;
    view.codes = view.narrow ? static_cast<const void*>(binned_->rows_of<std::uint8_t>(group))
                             : binned_->rows_of<std::uint16_t>(group);
    view.width = group.width();
    view.n_codes =
        layout_.n_codes.data() + layout_.first_of[static_cast<std::size_t>(group_number)];
    view.stride = scratch_stride(group.narrow, {view.n_codes, group.features.size()});
    view.n_columns = group.n_columns;
    if (!group.places.empty()) {
        view.places = group.places.data();
        view.codes_of_column = group.codes_of_column.data();
    }
    return view;
}

// Sum ranges of the node's rows, counted over all shards, while there are any. Returns whether
// there were; the bins are filled in any case.
bool LocalExchange::add_part(int node, int group, RowQueue& queue, const Planes& bins) const {
    const GroupView view = view_of(group);
    const HistogramKernels& kernels = histogram_kernels();
    const Packing& packing = quantized_.packing;
    const bool wide = packing.form == Form::wide,
               parts_once = packing.form == Form::packed && view.places != nullptr;
    const Outputs& outputs = packing.outputs;
    const int n_more = outputs.n - 1;
    const int n_pairs = wide ? 1 + (outputs.own_hessians ? n_more : 0) : 0;
    const int n_words = packing.form == Form::planes ? packing.n_words
                        : wide                       ? 1 + n_more - n_pairs
                                                     : 1;
    const auto n_scratch =
        static_cast<std::size_t>(view.n_columns) * static_cast<std::size_t>(view.stride);
    std::uint64_t* words =
        n_words > 0 ? room(thread_scratch().words, n_scratch * static_cast<std::size_t>(n_words))
                    : nullptr;
    const auto n_kept = static_cast<std::size_t>(parts_once ? 1 : n_pairs);
    Pair* pairs = n_kept > 0 ? room(thread_scratch().pairs, n_scratch * n_kept) : nullptr;
    const std::int64_t block = packing.form == Form::packed
                                   ? std::min(packing.block_rows, settings().block_rows)
                                   : std::numeric_limits<std::int64_t>::max() / 2;

    std::int64_t pending = 0, n_flushes = 0;
    bool any = false;
    auto flush = [&] {
        if (parts_once)
            kernels.flush_pairs(view, words, packing.count_bits, pairs);
        else
            kernels.flush_packed(view, words, packing.count_bits, n_flushes == 0, bins);
        pending = 0;
        ++n_flushes;
    };
    auto add_planes = [&](const RowRange& piece) {
        for (int p = 0; p < n_pairs; ++p)
            kernels.add_pairs(view, piece, (p == 0 ? quantized_ : more_output(p)).pairs.data(),
                              pairs + static_cast<std::size_t>(p) * n_scratch);
        for (int p = 0; p < n_words; ++p)
            kernels.add_words(view, piece,
                              wide ? more_output(p + 1).words.data()
                                   : quantized_.words.data() + p * binned_->n_rows(),
                              words + static_cast<std::size_t>(p) * n_scratch);
    };
    // So few rows at a time that their codes are still in the cache for the next plane.
    const std::int64_t at_once = n_pairs + n_words > 1 ? kRowsOfPlanes : block;
    auto add = [&](const RowRange& piece) {
        for (RowRange some = piece; some.begin < piece.end; some.begin = some.end) {
            some.end = std::min(piece.end, some.begin + at_once);
            add_planes(some);
        }
    };
    for (std::int64_t from, to; queue.take(from, to);) {
        any = true;
        for_each_piece(node, from, to, [&](const Shard&, RowRange piece) {
            const std::int64_t end = piece.end;
            while (piece.begin < end) {
                piece.end = std::min(end, piece.begin + block - pending);
                add(piece);
                pending += piece.end - piece.begin;
                piece.begin = piece.end;
                if (packing.form == Form::packed && pending == block) flush();
            }
        });
    }
    if (packing.form == Form::packed) {
        if (pending > 0 || n_flushes == 0) flush();
        if (parts_once) kernels.move_pairs(view, pairs, bins);
        count(counters().flushes, n_flushes);
    } else {
        move_planes(view, n_scratch, {pairs, n_pairs}, {words, n_words}, bins);
    }
    return any;
}

// A part of a job; the last one to end merges all parts.
void LocalExchange::run_part(std::span<const SumOrder> orders, Job& job, int part,
                             const std::function<void(int, int)>& summed) {
    const SumOrder& order = orders[static_cast<std::size_t>(job.order)];
    const int n_planes = n_planes_of(order.node);
    const Planes target = layout_.of_group(order.histogram, n_planes, job.group);
    auto planes_of = [&](std::vector<std::uint64_t>& words) {
        return Planes{words.data(), target.n, n_planes, target.n};
    };
    Planes own = target;
    if (part > 0) {
        auto& words = parts_[job.first_part + static_cast<std::size_t>(part) - 1];
        const auto size = static_cast<std::size_t>(target.n * n_planes);
        if (words.size() < size) words.resize(size);
        own = planes_of(words);
    }
    job.filled[static_cast<std::size_t>(part)] =
        basis_of_nodes_.empty() ? add_part(order.node, job.group, job.queue, own)
                                : add_moments(order.node, job.group, job.queue, own);
    if (job.n_parts > 1) {
        if (job.left.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
        for (int p = 1; p < job.n_parts; ++p)
            if (job.filled[static_cast<std::size_t>(p)])
                histogram_kernels().add_bins(
                    target, planes_of(parts_[job.first_part + static_cast<std::size_t>(p) - 1]));
        count(counters().merged_histograms);
    }
    summed(job.order, job.group);
}

// A large node is shared if groups and nodes alone would not keep every thread busy: each thread
// takes ranges of its rows while there are any and sums them in its own bins, which are then
// merged.
void LocalExchange::sum(std::span<const SumOrder> orders, std::span<const int> groups,
                        int n_threads, const std::function<void(int, int)>& summed) {
    const auto n_orders = static_cast<std::int64_t>(orders.size()),
               n_groups = static_cast<std::int64_t>(groups.size());
    std::int64_t n_rows = 0;
    for (const SumOrder& order : orders) n_rows += n_rows_of(order.node);
    // Scanning a group costs about as much as adding 512 rows to it.
    n_threads = useful_threads(n_threads, (n_rows + 512 * n_orders) * binned_->n_features());

    struct Task {
        Job* job;
        int part;
    };
    std::deque<Job> jobs;
    std::vector<Task> tasks;
    std::size_t n_spare = 0;
    // Merging a part costs about as much as adding 1000 rows.
    const std::int64_t fewest_rows =
        std::max<std::int64_t>(1, settings().chunk_rows / (basis_of_nodes_.empty() ? 4 : 16));
    for (std::int64_t o = 0; o < n_orders; ++o) {
        const std::int64_t rows = n_rows_of(orders[static_cast<std::size_t>(o)].node);
        std::int64_t n_parts = 1;
        if (n_threads > 1 && n_orders * n_groups < std::int64_t{4} * n_threads)
            n_parts = std::clamp<std::int64_t>(rows / fewest_rows, 1, n_threads);
        // Whole blocks between two flushes, small enough that late parts still find work.
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
        run_part(orders, *job, part, summed);
    });
}

void LocalExchange::sum_all(std::span<const SumOrder> orders, const HistogramLayout& layout,
                            int n_threads) {
    const int n_planes = quantized_.packing.n_planes();
    const auto is_wanted = [&](int f) { return layout.has(f); };
    std::vector<int> groups;
    for (std::size_t g = 0; g < groups_.size(); ++g)
        if (std::ranges::any_of(groups_[g], is_wanted)) groups.push_back(static_cast<int>(g));
    std::vector<std::vector<std::uint64_t>> own(orders.size());
    std::vector<SumOrder> of_groups;
    for (std::size_t i = 0; i < orders.size(); ++i) {
        own[i].resize(static_cast<std::size_t>(layout_.n_bins() * n_planes));
        of_groups.push_back({orders[i].node, own[i].data()});
    }
    sum(of_groups, groups, n_threads, [](int, int) {});
    parallel_for(n_threads, std::ssize(orders), [&](std::int64_t i) {
        const SumOrder& order = orders[static_cast<std::size_t>(i)];
        for (const int group : groups)
            for (const int f : groups_[static_cast<std::size_t>(group)]) {
                if (!layout.has(f)) continue;
                const Planes from =
                    layout_.of_feature(own[static_cast<std::size_t>(i)].data(), n_planes, f);
                const Planes to = layout.of_feature(order.histogram, n_planes, f);
                for (int p = 0; p < n_planes; ++p) std::copy_n(from.plane(p), from.n, to.plane(p));
            }
        sum_lists(order, layout);
    });
}

// For every listed column: sum the node's rows among its entries; the usual bin is the rest.
void LocalExchange::sum_lists(const SumOrder& order, const HistogramLayout& layout) const {
    const SparseCodes& lists = binned_->lists();
    if (lists.n_columns() == 0) return;
    const int n_planes = quantized_.packing.n_planes();
    // The word that a row adds to a plane.
    const auto word_of = [&](std::int64_t row, int plane) {
        const Outputs& outputs = quantized_.packing.outputs;
        if (outputs.n == 1 || plane < 2) return quantized_.word(row, plane, binned_->n_rows());
        const auto at = static_cast<std::size_t>(row);
        if (!outputs.own_hessians) return more_output(plane - 1).words[at];
        const Pair& pair = more_output(plane / 2).pairs[at];
        return plane % 2 == 0 ? pair.first : pair.rest;
    };
    std::vector<std::uint8_t> here(static_cast<std::size_t>(binned_->n_rows()), 0);
    std::vector<std::uint64_t> all(static_cast<std::size_t>(n_planes), 0), words(all);
    for (const Shard& shard : shards_) {
        const RowRange range = shard.rows_of(order.node);
        for (std::int64_t i = range.begin; i < range.end; ++i) {
            const std::int64_t row = range.rows == nullptr ? i : range.rows[i];
            here[static_cast<std::size_t>(row)] = 1;
            for (int p = 0; p < n_planes; ++p) all[static_cast<std::size_t>(p)] += word_of(row, p);
        }
    }
    for (int list = 0; list < lists.n_columns(); ++list) {
        if (!layout.has(lists.feature(list))) continue;
        const Planes to = layout.of_feature(order.histogram, n_planes, lists.feature(list));
        const SparseEntries entries = lists.entries(list);
        for (int p = 0; p < n_planes; ++p) {
            std::uint64_t* bins = to.plane(p);
            std::fill_n(bins, to.n, 0);
            std::uint64_t usual = all[static_cast<std::size_t>(p)];
            for (std::int64_t i = 0; i < entries.n; ++i) {
                if (here[static_cast<std::size_t>(entries.rows[i])] == 0) continue;
                const std::uint64_t word = word_of(entries.rows[i], p);
                bins[entries.codes[i]] += word;
                usual -= word;
            }
            bins[lists.usual_code(list)] += usual;
        }
    }
}

} // namespace ceiba
