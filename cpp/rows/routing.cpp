#include "rows/routing.hpp"

namespace ceiba {

namespace {

// goes_left(split): whether the row does.
template <class GoesLeft>
int descend(std::span<const BinSplit> tree, GoesLeft goes_left) {
    int node = 0;
    while (tree[static_cast<std::size_t>(node)].feature >= 0) {
        const BinSplit& split = tree[static_cast<std::size_t>(node)];
        node = goes_left(split) ? split.left : split.right;
    }
    return node;
}

template <class Code>
int route_codes(const BinnedMatrix& binned, std::span<const BinSplit> tree, std::int64_t row) {
    return descend(tree, [&](const BinSplit& split) {
        const int code = binned.column<Code>(split.feature)[row];
        const bool missing = code == binned.mapper().missing_code(split.feature);
        return missing ? split.missing_left : code <= split.bin;
    });
}

} // namespace

int route(const BinnedMatrix& binned, std::span<const BinSplit> tree, std::int64_t row) {
    return binned.narrow() ? route_codes<std::uint8_t>(binned, tree, row)
                           : route_codes<std::uint16_t>(binned, tree, row);
}

int route(const RankedColumns& ranked, std::span<const BinSplit> tree, std::int64_t row) {
    return descend(tree, [&](const BinSplit& split) {
        const std::uint32_t rank = ranked.ranks(split.feature)[row];
        return rank == RankedColumns::kMissing ? split.missing_left
                                               : rank <= static_cast<std::uint32_t>(split.bin);
    });
}

} // namespace ceiba
