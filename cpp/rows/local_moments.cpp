// Packing of rows by the linear models of their nodes (linear_words.hpp), and the histograms of
// their moments.

#include "base/cpu.hpp"
#include "parallel/pool.hpp"
#include "rows/local_exchange.hpp"
#include "rows/moments.hpp"

#include <algorithm>

namespace ceiba {

namespace {

constexpr std::int64_t kPackRows = 2048; // taken by a thread at a time

} // namespace

const MomentKernels& moment_kernels() {
    static const MomentKernels plain{baseline::add_moments, baseline::move_moments};
    static const MomentKernels vector{avx2::add_moments, avx2::move_moments};
    return use_avx2() ? vector : plain;
}

void LocalExchange::start_moments(int n_planes) {
    n_entry_words_ = n_entry_words(n_planes);
    entries_.need(static_cast<std::size_t>(binned_->n_rows() * n_entry_words_));
    quantized_.packing.outputs = {n_planes - 1, false};
    basis_of_nodes_.clear();
}

// Nodes that wait for their histograms have disjoint rows, and so disjoint entries.
std::uint64_t* LocalExchange::entries_of(const Shard& shard, const RowRange& piece) {
    const std::int64_t place = piece.begin + (piece.rows == nullptr ? 0 : shard.first_row());
    return entries_.data() + place * n_entry_words_;
}

std::vector<std::vector<std::int64_t>> LocalExchange::pack_nodes(std::span<const NodeWords> orders,
                                                                 const BinnedRegressors& regressors,
                                                                 int n_threads) {
    struct Task {
        std::size_t order;
        RowRange rows;
        std::uint64_t* entries;
        std::vector<std::int64_t> sums;
    };
    std::vector<Task> tasks;
    std::vector<std::vector<std::int64_t>> sums;
    std::int64_t n_rows = 0;
    for (const NodeWords& order : orders) {
        const int n_basis = order.basis->n(), n_planes = n_moment_planes(n_basis);
        const auto number = static_cast<std::size_t>(order.node);
        if (basis_of_nodes_.size() <= number) basis_of_nodes_.resize(number + 1, 0);
        basis_of_nodes_[number] = n_basis;
        for (const Shard& shard : shards_) {
            const RowRange all = shard.rows_of(order.node);
            std::uint64_t* entries = entries_of(shard, all);
            for (std::int64_t begin = all.begin; begin < all.end; begin += kPackRows)
                tasks.push_back({sums.size(),
                                 {all.rows, begin, std::min(all.end, begin + kPackRows)},
                                 entries + (begin - all.begin) * n_entry_words(n_planes),
                                 {}});
            n_rows += all.end - all.begin;
        }
        sums.emplace_back(static_cast<std::size_t>(n_planes), 0);
    }
    parallel_for(useful_threads(n_threads, 8 * n_rows), std::ssize(tasks), [&](std::int64_t t) {
        Task& task = tasks[static_cast<std::size_t>(t)];
        task.sums.assign(sums[task.order].size(), 0);
        pack_linear(view_, selection_.weights, quantized_.pairs.data(), regressors,
                    orders[task.order], task.rows, task.entries, task.sums);
    });
    for (const Task& task : tasks)
        for (std::size_t p = 0; p < task.sums.size(); ++p) sums[task.order][p] += task.sums[p];
    return sums;
}

bool LocalExchange::add_moments(int node, int group, RowQueue& queue, const Planes& bins) {
    const GroupView view = view_of(group);
    const int n_basis = basis_of_nodes_[static_cast<std::size_t>(node)],
              n_words = n_entry_words(n_moment_planes(n_basis));
    std::uint64_t* scratch =
        scratch_words(static_cast<std::size_t>(view.n_columns) *
                      static_cast<std::size_t>(view.stride) * static_cast<std::size_t>(n_words));
    bool any = false;
    for (std::int64_t from, to; queue.take(from, to);) {
        any = true;
        for_each_piece(node, from, to, [&](const Shard& shard, const RowRange& piece) {
            const RowRange all = shard.rows_of(node);
            moment_kernels().add(view, piece, n_basis,
                                 entries_of(shard, all) + (piece.begin - all.begin) * n_words,
                                 scratch);
        });
    }
    moment_kernels().move(view, n_basis, scratch, bins);
    return any;
}

} // namespace ceiba
