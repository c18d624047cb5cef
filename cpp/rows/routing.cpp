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

bool RouteStep::goes_left(std::int64_t row) const {
    const Code code = code_of(*this, row);
    if (table != nullptr) return table[std::min(code, n_codes)] != 0;
    return code <= last || code == absent;
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
        if (binned.home(feature).stored < 0) {
            add_sides(node, tree[node], binned, missing);
            continue;
        }
        binned.with_column(feature, [&]<class Number>(const Number* codes) {
            add(node, tree[node], codes, sizeof(Number), missing, missing);
        });
        const std::vector<Code> meanings = binned.meanings(feature);
        if (meanings.empty()) continue;
        // For a shared column: the direction of each of its codes. No code is beyond them.
        std::vector<std::uint8_t>& table = tables_.emplace_back();
        for (const Code code : meanings)
            table.push_back(tree[node].decision.goes_left(code, missing) ? 1 : 0);
        table.push_back(0);
        steps_.back().table = table.data();
        steps_.back().n_codes = static_cast<Code>(meanings.size());
    }
}

// The directions of a column that is a list, or not stored, are written out by row: 0 goes left.
void Router::add_sides(std::size_t node, const RoutedNode& routed, const BinnedMatrix& binned,
                       Code missing) {
    const Decision& decision = routed.decision;
    const int list = binned.home(decision.feature).list;
    const auto side = [&](Code code) -> std::uint8_t {
        return decision.goes_left(code, missing) ? 0 : 1;
    };
    // Kernels may read a little past the end.
    std::vector<std::uint8_t>& sides =
        tables_.emplace_back(static_cast<std::size_t>(binned.n_rows() + 64),
                             side(list < 0 ? Code{0} : binned.lists().usual_code(list)));
    const SparseEntries entries = list < 0 ? SparseEntries{} : binned.lists().entries(list);
    for (std::int64_t i = 0; i < entries.n; ++i)
        sides[static_cast<std::size_t>(entries.rows[i])] = side(entries.codes[i]);
    add(node, {{decision.feature, 0, false, nullptr}, routed.left, routed.right}, sides.data(), 1,
        0, 2);
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
