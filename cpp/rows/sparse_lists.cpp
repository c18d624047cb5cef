#include "rows/sparse_lists.hpp"

#include "parallel/pool.hpp"

#include <algorithm>
#include <cstring>

namespace ceiba {

namespace {

template <class Visit>
void each_row(std::span<const Shard> shards, int node, Visit visit) {
    for (const Shard& shard : shards) {
        const RowRange range = shard.rows_of(node);
        for (std::int64_t i = range.begin; i < range.end; ++i)
            visit(range.rows == nullptr ? i : std::int64_t{range.rows[i]});
    }
}

std::int64_t n_rows_of(std::span<const Shard> shards, int node) {
    std::int64_t n = 0;
    for (const Shard& shard : shards) n += shard.n_rows_of(node);
    return n;
}

} // namespace

SparseLists::NodeLists& SparseLists::node_at(int node) {
    if (nodes_.size() <= static_cast<std::size_t>(node))
        nodes_.resize(static_cast<std::size_t>(node) + 1);
    return nodes_[static_cast<std::size_t>(node)];
}

void SparseLists::drop(int node) {
    if (nodes_.size() <= static_cast<std::size_t>(node)) return;
    NodeLists& lists = node_at(node);
    if (lists.own.rows.size() > 0) free_.push_back(std::move(lists.own));
    lists = {};
}

// The smallest available buffer that is large enough, or a new one.
void SparseLists::make_room(NodeLists& lists, std::int64_t n_entries) {
    const auto needed = static_cast<std::size_t>(n_entries);
    auto found = free_.end();
    for (auto one = free_.begin(); one != free_.end(); ++one)
        if (one->rows.size() >= needed &&
            (found == free_.end() || one->rows.size() < found->rows.size()))
            found = one;
    if (found != free_.end()) {
        lists.own = std::move(*found);
        free_.erase(found);
    }
    lists.own.rows.need(std::max<std::size_t>(needed, 1));
    lists.own.codes.need(lists.own.rows.size());
    lists.entries = {lists.own.rows.data(), lists.own.codes.data(), n_entries};
}

void SparseLists::add_total(std::span<const Shard> shards, int node) {
    const int n_planes = quantized_->packing.n_planes();
    const std::int64_t n_rows = binned_->n_rows();
    std::vector<std::uint64_t>& total = node_at(node).total;
    total.assign(static_cast<std::size_t>(n_planes), 0);
    each_row(shards, node, [&](std::int64_t row) {
        for (int p = 0; p < n_planes; ++p)
            total[static_cast<std::size_t>(p)] += quantized_->word(row, p, n_rows);
    });
}

void SparseLists::mark(std::span<const Shard> shards, int node, bool set) {
    marked_.resize(static_cast<std::size_t>(binned_->n_rows() + 63) / 64, 0);
    each_row(shards, node, [&](std::int64_t row) {
        std::uint64_t& word = marked_[static_cast<std::size_t>(row / 64)];
        word = set ? word | std::uint64_t{1} << (row % 64) : 0;
    });
}

void SparseLists::start(std::span<const Shard> shards, const Quantized& quantized, bool all_rows,
                        std::span<const int> columns, std::int64_t fewest, int n_threads) {
    for (std::size_t node = 0; node < nodes_.size(); ++node) drop(static_cast<int>(node));
    quantized_ = &quantized;
    fewest_ = std::max<std::int64_t>(1, fewest);
    const SparseCodes& lists = binned_->lists();
    NodeLists root;
    for (const int feature : columns) {
        const int list = binned_->home(feature).list;
        if (list < 0) continue;
        const SparseEntries entries = lists.entries(list);
        if (root.stretches.empty()) root.entries = lists.entries(0);
        if (entries.n >= fewest_)
            root.stretches.push_back({list, entries.rows - root.entries.rows, entries.n});
    }
    root.exists = true;
    if (all_rows) {
        node_at(0) = std::move(root);
    } else {
        NodeLists& selected = node_at(0);
        selected.exists = true;
        mark(shards, 0, true);
        divide(root, &selected, nullptr, n_threads);
        mark(shards, 0, false);
    }
    add_total(shards, 0);
}

void SparseLists::split(std::span<const Shard> shards, int parent, int left, int right,
                        int n_threads) {
    if (left >= 0 || right >= 0) {
        node_at(std::max(left, right)); // allocated first, so that references stay valid
        // Mark the rows of one child, of the smaller one if possible.
        const bool of_left =
            right < 0 || (left >= 0 && n_rows_of(shards, left) <= n_rows_of(shards, right));
        const int marked = of_left ? left : right, other = of_left ? right : left;
        mark(shards, marked, true);
        for (const int child : {left, right})
            if (child >= 0) node_at(child).exists = true;
        divide(node_at(parent), &node_at(marked), other < 0 ? nullptr : &node_at(other), n_threads);
        mark(shards, marked, false);
        for (const int child : {left, right})
            if (child >= 0) add_total(shards, child);
    }
    drop(parent);
}

// Divide ranges into tasks of about equal work: the first range of each, then the end.
std::vector<std::size_t> SparseLists::tasks_of(const NodeLists& node, std::int64_t& work) {
    constexpr std::int64_t kTask = 1 << 14;
    std::vector<std::size_t> tasks{0};
    std::int64_t pending = 0;
    for (std::size_t k = 0; k < node.stretches.size(); ++k) {
        work += node.stretches[k].n;
        pending += node.stretches[k].n + 8;
        if (pending < kTask && k + 1 < node.stretches.size()) continue;
        tasks.push_back(k + 1);
        pending = 0;
    }
    return tasks;
}

// Copy the entries of marked rows to one node and the others to another, if it exists.
void SparseLists::divide(const NodeLists& from, NodeLists* marked, NodeLists* others,
                         int n_threads) {
    const auto n = from.stretches.size();
    const std::uint64_t* bits = marked_.data();
    const auto is_marked = [bits](std::int32_t row) {
        return bits[static_cast<std::uint32_t>(row) / 64] >> (row % 64) & 1;
    };
    std::int64_t work = 0;
    const std::vector<std::size_t> tasks = tasks_of(from, work);
    n_threads = useful_threads(n_threads, 4 * work);
    const auto each_stretch = [&](auto&& visit) {
        parallel_for(n_threads, std::ssize(tasks) - 1, [&](std::int64_t t) {
            const auto at = static_cast<std::size_t>(t);
            for (std::size_t k = tasks[at]; k < tasks[at + 1]; ++k) visit(k);
        });
    };
    std::vector<std::int64_t> n_marked(n, 0);
    each_stretch([&](std::size_t k) {
        const Stretch& stretch = from.stretches[k];
        const std::int32_t* rows = from.entries.rows + stretch.begin;
        std::int64_t count = 0;
        for (std::int64_t i = 0; i < stretch.n; ++i)
            count += static_cast<std::int64_t>(is_marked(rows[i]));
        n_marked[k] = count;
    });
    std::vector<std::int64_t> to_marked(n, -1), to_others(n, -1);
    const auto place = [&](NodeLists* node, std::vector<std::int64_t>& to, auto count_of) {
        if (node == nullptr) return;
        std::int64_t end = 0;
        for (std::size_t k = 0; k < n; ++k) {
            const std::int64_t count = count_of(k);
            if (count < fewest_) continue;
            node->stretches.push_back({from.stretches[k].list, end, count});
            to[k] = end;
            end += count;
        }
        make_room(*node, end);
    };
    place(marked, to_marked, [&](std::size_t k) { return n_marked[k]; });
    place(others, to_others, [&](std::size_t k) { return from.stretches[k].n - n_marked[k]; });
    each_stretch([&](std::size_t k) {
        if (to_marked[k] < 0 && to_others[k] < 0) return;
        constexpr std::int64_t kAtOnce = 256;
        std::int32_t rows[2][kAtOnce];
        std::uint16_t codes[2][kAtOnce];
        const Stretch& stretch = from.stretches[k];
        std::int64_t next[2] = {to_others[k], to_marked[k]};
        NodeLists* const nodes[2] = {others, marked};
        for (std::int64_t begin = 0; begin < stretch.n; begin += kAtOnce) {
            const std::int64_t count = std::min(kAtOnce, stretch.n - begin);
            const std::int32_t* from_rows = from.entries.rows + stretch.begin + begin;
            const std::uint16_t* from_codes = from.entries.codes + stretch.begin + begin;
            std::int64_t filled[2] = {0, 0};
            for (std::int64_t i = 0; i < count; ++i) {
                const auto side = static_cast<std::int64_t>(is_marked(from_rows[i]));
                rows[0][filled[0]] = rows[1][filled[1]] = from_rows[i];
                codes[0][filled[0]] = codes[1][filled[1]] = from_codes[i];
                filled[1] += side;
                filled[0] += 1 - side;
            }
            for (const std::size_t side : {0, 1}) {
                if (next[side] < 0) continue;
                const auto n_here = static_cast<std::size_t>(filled[side]);
                std::memcpy(nodes[side]->own.rows.data() + next[side], rows[side],
                            n_here * sizeof(std::int32_t));
                std::memcpy(nodes[side]->own.codes.data() + next[side], codes[side],
                            n_here * sizeof(std::uint16_t));
                next[side] += filled[side];
            }
        }
    });
}

int SparseLists::n_columns(int node) const {
    return static_cast<int>(node_at(node).stretches.size());
}

int SparseLists::feature(int node, int i) const {
    return binned_->lists().feature(node_at(node).stretches[static_cast<std::size_t>(i)].list);
}

std::int64_t SparseLists::n_entries(int node) const {
    std::int64_t n = 0;
    for (const Stretch& stretch : node_at(node).stretches) n += stretch.n;
    return n;
}

void SparseLists::sum(int node, int i, ListBins& bins) const {
    const NodeLists& lists = node_at(node);
    const Stretch& stretch = lists.stretches[static_cast<std::size_t>(i)];
    sum_entries(
        lists, stretch.list,
        {lists.entries.rows + stretch.begin, lists.entries.codes + stretch.begin, stretch.n}, bins);
}

void SparseLists::sum_feature(int node, int feature, ListBins& bins) const {
    const NodeLists& lists = node_at(node);
    const int list = binned_->home(feature).list;
    const auto at =
        std::lower_bound(lists.stretches.begin(), lists.stretches.end(), list,
                         [](const Stretch& one, int other) { return one.list < other; });
    if (at != lists.stretches.end() && at->list == list)
        sum(node, static_cast<int>(at - lists.stretches.begin()), bins);
    else
        sum_entries(lists, list, {}, bins);
}

void SparseLists::sum_entries(const NodeLists& node, int list, const SparseEntries& entries,
                              ListBins& bins) const {
    const SparseCodes& lists = binned_->lists();
    const std::int64_t n_bins = binned_->mapper().n_bins(lists.feature(list)),
                       n_rows = binned_->n_rows();
    bins.n_bins_ = n_bins;
    bins.n_planes_ = quantized_->packing.n_planes();
    bins.words_.assign(static_cast<std::size_t>(n_bins * bins.n_planes_), 0);
    std::uint64_t* words = bins.words_.data();
    const Code usual = lists.usual_code(list);
    if (quantized_->packing.form == Form::planes) {
        for (int p = 0; p < bins.n_planes_; ++p, words += n_bins) {
            std::uint64_t left = node.total[static_cast<std::size_t>(p)];
            for (std::int64_t i = 0; i < entries.n; ++i) {
                const std::uint64_t word = quantized_->word(entries.rows[i], p, n_rows);
                words[entries.codes[i]] += word;
                left -= word;
            }
            words[usual] += left;
        }
        return;
    }
    Pair left{node.total.front(), node.total.back()};
    const bool pairs = bins.n_planes_ > 1;
    for (std::int64_t i = 0; i < entries.n; ++i) {
        const Pair own = quantized_->of_row(entries.rows[i]);
        words[entries.codes[i]] += own.first;
        if (pairs) words[n_bins + entries.codes[i]] += own.rest;
        left.first -= own.first;
        left.rest -= own.rest;
    }
    words[usual] += left.first;
    if (pairs) words[n_bins + usual] += left.rest;
}

} // namespace ceiba
