#include "rows/routing.hpp"

namespace ceiba {

namespace {

// code(feature), missing(feature): of the row, and what stands for a missing one.
template <class CodeOf, class MissingOf>
int descend(std::span<const RoutedNode> tree, CodeOf code, MissingOf missing) {
    int at = 0;
    while (tree[static_cast<std::size_t>(at)].decision.exists()) {
        const RoutedNode& node = tree[static_cast<std::size_t>(at)];
        const int feature = node.decision.feature;
        at = node.decision.goes_left(code(feature), missing(feature)) ? node.left : node.right;
    }
    return at;
}

} // namespace

int route(const BinnedMatrix& binned, std::span<const RoutedNode> tree, std::int64_t row) {
    return descend(
        tree, [&](int feature) { return binned.code(feature, row); },
        [&](int feature) { return static_cast<Code>(binned.mapper().missing_code(feature)); });
}

int route(const RankedColumns& ranked, std::span<const RoutedNode> tree, std::int64_t row) {
    return descend(
        tree, [&](int feature) -> Code { return ranked.ranks(feature)[row]; },
        [](int) -> Code { return RankedColumns::kMissing; });
}

} // namespace ceiba
