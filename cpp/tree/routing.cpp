#include "tree/routing.hpp"

namespace ceiba {

namespace {

template <class Code>
int route_codes(const BinnedMatrix& binned, std::span<const BinSplit> tree, std::int64_t row) {
    int node = 0;
    while (tree[static_cast<std::size_t>(node)].feature >= 0) {
        const BinSplit& split = tree[static_cast<std::size_t>(node)];
        const int code = binned.column<Code>(split.feature)[row];
        const bool missing = code == binned.mapper().missing_code(split.feature);
        node = (missing ? split.missing_left : code <= split.bin) ? split.left : split.right;
    }
    return node;
}

} // namespace

int route(const BinnedMatrix& binned, std::span<const BinSplit> tree, std::int64_t row) {
    return binned.narrow() ? route_codes<std::uint8_t>(binned, tree, row)
                           : route_codes<std::uint16_t>(binned, tree, row);
}

} // namespace ceiba
