// Rows of nodes that are packed by the linear models of their nodes (linear_words.hpp).

#include "parallel/rows.hpp"
#include "rows/local_exchange.hpp"

namespace ceiba {

void LocalExchange::start_moments(int n_planes) {
    need_outputs(n_planes - 1);
    for (Quantized& own : more_outputs_)
        own.words.need(static_cast<std::size_t>(binned_->n_rows()));
    quantized_.packing.outputs = {n_planes - 1, false};
    planes_of_nodes_.clear();
}

std::vector<std::int64_t> LocalExchange::pack_node(int node, const BinnedRegressors& regressors,
                                                   const NodeWords& order, int n_threads) {
    const auto n_planes = static_cast<std::size_t>(n_moment_planes(order.basis->n()));
    WordPlanes out{quantized_.pairs.data()};
    for (std::size_t p = 2; p < n_planes; ++p)
        out.words.push_back(more_outputs_[p - 2].words.data());
    const auto number = static_cast<std::size_t>(node);
    if (planes_of_nodes_.size() <= number) planes_of_nodes_.resize(number + 1, 2);
    planes_of_nodes_[number] = static_cast<int>(n_planes);
    std::vector<std::int64_t> sums(n_planes, 0);
    for (const Shard& shard : shards_) {
        const RowRange all = shard.rows_of(node);
        for (const std::vector<std::int64_t>&part : parts_of_rows(
                 all.end - all.begin, n_threads, [&](std::int64_t begin, std::int64_t end) {
                     std::vector<std::int64_t> own(n_planes, 0);
                     pack_linear(view_, selection_.weights, regressors, order,
                                 {all.rows, all.begin + begin, all.begin + end}, out, own);
                     return own;
                 }))
            for (std::size_t p = 0; p < n_planes; ++p) sums[p] += part[p];
    }
    return sums;
}

} // namespace ceiba
