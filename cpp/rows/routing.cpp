#include "rows/routing.hpp"

#include "base/cpu.hpp"
#include "base/settings.hpp"

#include <algorithm>

namespace ceiba {

namespace {

Code code_of(const RouteStep& step, std::int64_t row) {
    if (step.code_bytes == 1) return static_cast<const std::uint8_t*>(step.codes)[row];
    if (step.code_bytes == 2) return static_cast<const std::uint16_t*>(step.codes)[row];
    return static_cast<const std::uint32_t*>(step.codes)[row];
}

} // namespace

<<<<<<< HEAD
int route(const BinnedMatrix& binned, std::span<const RoutedNode> tree, std::int64_t row) {
    return descend(
        tree, [&](int feature) { return binned.code(feature, row); },
        [&](int feature) { return static_cast<Code>(binned.mapper().missing_code(feature)); });
=======
bool RouteStep::goes_left(std::int64_t row) const {
    const Code code = code_of(*this, row);
    if (table != nullptr) return table[std::min(code, n_codes)] != 0;
    return code <= last || code == absent;
>>>>>>> main
}

void Router::add(std::size_t node, const RoutedNode& routed, const void* codes, int code_bytes,
                 Code missing, Code n_codes) {
    const Decision& decision = routed.decision;
    RouteStep step;
    step.codes = codes;
    step.code_bytes = code_bytes;
    step.last = decision.last;
    step.absent = decision.missing_left ? missing : decision.last;
    step.node = static_cast<std::int32_t>(node);
    step.left = routed.left;
    step.right = routed.right;
    if (decision.set) {
        std::vector<std::uint8_t>& table = tables_.emplace_back();
        for (Code code = 0; code < n_codes; ++code)
            table.push_back(decision.set->has(code) ? 1 : 0);
        table.push_back(decision.missing_left ? 1 : 0);
        step.table = table.data();
        step.n_codes = n_codes;
    }
    step_of_[node] = static_cast<std::int32_t>(steps_.size());
    steps_.push_back(step);
}

Router::Router(const BinnedMatrix& binned, std::span<const RoutedNode> tree)
    : step_of_(tree.size(), -1) {
    for (std::size_t node = 0; node < tree.size(); ++node) {
        if (!tree[node].decision.exists()) continue;
        const int feature = tree[node].decision.feature;
        const auto missing = static_cast<Code>(binned.mapper().missing_code(feature));
        binned.with_column(feature, [&]<class Number>(const Number* codes) {
            add(node, tree[node], codes, sizeof(Number), missing, missing);
        });
    }
}

Router::Router(const RankedColumns& ranked, std::span<const RoutedNode> tree)
    : step_of_(tree.size(), -1) {
    for (std::size_t node = 0; node < tree.size(); ++node) {
        if (!tree[node].decision.exists()) continue;
        const int feature = tree[node].decision.feature;
        add(node, tree[node], ranked.ranks(feature), sizeof(std::uint32_t), RankedColumns::kMissing,
            static_cast<Code>(ranked.values(feature).size()));
    }
}

template <class Number>
void Router::route(std::int64_t begin, std::int64_t end, Number* leaves) const {
    const std::size_t n_steps =
        std::min(steps_.size(), static_cast<std::size_t>(settings().routed_nodes));
    const std::span<const RouteStep> first(steps_.data(), n_steps);
    const std::int64_t n = end - begin;
    if constexpr (sizeof(Number) == 1)
        (use_avx2() ? avx2::route_bytes : baseline::route_bytes)(first, begin, n, leaves);
    else if constexpr (sizeof(Number) == 2)
        (use_avx2() ? avx2::route_shorts : baseline::route_shorts)(first, begin, n, leaves);
    else
        (use_avx2() ? avx2::route_words : baseline::route_words)(first, begin, n, leaves);
    if (n_steps == steps_.size()) return;
    for (std::int64_t i = 0; i < n; ++i) {
        auto at = static_cast<std::size_t>(leaves[i]);
        while (step_of_[at] >= 0) {
            const RouteStep& step = steps_[static_cast<std::size_t>(step_of_[at])];
            at = static_cast<std::size_t>(step.goes_left(begin + i) ? step.left : step.right);
        }
        leaves[i] = static_cast<Number>(at);
    }
}

template void Router::route(std::int64_t, std::int64_t, std::uint8_t*) const;
template void Router::route(std::int64_t, std::int64_t, std::uint16_t*) const;
template void Router::route(std::int64_t, std::int64_t, std::int32_t*) const;

} // namespace ceiba
