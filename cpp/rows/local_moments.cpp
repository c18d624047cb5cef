// Rows of nodes that are packed by the linear models of their nodes (linear_words.hpp), and the
// histograms of their moments.

#include "base/cpu.hpp"
#include "parallel/rows.hpp"
#include "rows/local_exchange.hpp"
#include "rows/moments.hpp"

namespace ceiba {

const MomentKernels& moment_kernels() {
    static const MomentKernels plain{baseline::add_moments, baseline::move_moments};
#if defined(__x86_64__)
    static const MomentKernels vector{avx2::add_moments, avx2::move_moments};
    if (use_avx2()) return vector;
#endif
    return plain;
}

void LocalExchange::start_moments(int n_planes) {
    n_entry_words_ = n_entry_words(n_planes);
    entries_.need(static_cast<std::size_t>(binned_->n_rows() * n_entry_words_));
    quantized_.packing.outputs = {n_planes - 1, false};
    basis_of_nodes_.clear();
}

// Nodes that wait for their histograms have rows of their own, and so entries of their own.
std::uint64_t* LocalExchange::entries_of(const Shard& shard, const RowRange& piece) {
    const std::int64_t place = piece.begin + (piece.rows == nullptr ? 0 : shard.first_row());
    return entries_.data() + place * n_entry_words_;
}

std::vector<std::int64_t> LocalExchange::pack_node(int node, const BinnedRegressors& regressors,
                                                   const NodeWords& order, int n_threads) {
    const int n_basis = order.basis->n(), n_words = n_entry_words(n_moment_planes(n_basis));
    const auto number = static_cast<std::size_t>(node);
    if (basis_of_nodes_.size() <= number) basis_of_nodes_.resize(number + 1, 0);
    basis_of_nodes_[number] = n_basis;
    std::vector<std::int64_t> sums(static_cast<std::size_t>(n_moment_planes(n_basis)), 0);
    for (const Shard& shard : shards_) {
        const RowRange all = shard.rows_of(node);
        std::uint64_t* entries = entries_of(shard, all);
        for (const std::vector<std::int64_t>&part : parts_of_rows(
                 all.end - all.begin, n_threads, [&](std::int64_t begin, std::int64_t end) {
                     std::vector<std::int64_t> own(sums.size(), 0);
                     pack_linear(view_, selection_.weights, quantized_.pairs.data(), regressors,
                                 order, {all.rows, all.begin + begin, all.begin + end},
                                 entries + begin * n_words, own);
                     return own;
                 }))
            for (std::size_t p = 0; p < sums.size(); ++p) sums[p] += part[p];
    }
    return sums;
}

bool LocalExchange::add_moments(int node, int group, RowQueue& queue, const Planes& bins) {
    const GroupView view = view_of(group);
    const int n_basis = basis_of_nodes_[static_cast<std::size_t>(node)],
              n_words = n_entry_words(n_moment_planes(n_basis));
    std::uint64_t* scratch = scratch_words(static_cast<std::size_t>(view.n_columns) *
                                           static_cast<std::size_t>(view.stride) *
                                           static_cast<std::size_t>(n_words));
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
