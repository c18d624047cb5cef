#include "leaf/removable_scores.hpp"

#include "base/errors.hpp"
#include "parallel/rows.hpp"

#include <algorithm>
#include <atomic>

namespace ceiba {

namespace {

// Rows whose sums stay in the L1 cache while all trees are added.
constexpr std::int64_t kBlock = 512;

template <class Number>
bool add_tree(const LeafColumn& tree, std::int64_t begin, std::int64_t end, double* high,
              double* low) {
    const auto* leaves = static_cast<const Number*>(tree.leaves);
    const double* values = tree.values.data();
    const auto n_nodes = tree.values.size();
    bool fits = true;
    for (std::int64_t i = begin; i < end; ++i) {
        const auto leaf = static_cast<std::size_t>(leaves[i]);
        if (leaf >= n_nodes) {
            fits = false;
            break;
        }
        // Knuth's two-sum: the sum of two numbers and its error, for any magnitudes.
        const double a = high[i], b = tree.factor * values[leaf], sum = a + b, shifted = sum - a;
        low[i] += (a - (sum - shifted)) + (b - shifted);
        high[i] = sum;
    }
    return fits;
}

} // namespace

void add_leaves(std::span<const LeafColumn> trees, double* high, double* low, std::int64_t n_rows,
                int n_threads) {
    std::atomic<bool> fits = true;
    over_rows(n_rows, n_threads, [&](std::int64_t chunk_begin, std::int64_t chunk_end) {
        for (std::int64_t begin = chunk_begin; begin < chunk_end; begin += kBlock) {
            const std::int64_t end = std::min(chunk_end, begin + kBlock);
            for (const LeafColumn& tree : trees) {
                const bool known =
                    tree.width == 1   ? add_tree<std::uint8_t>(tree, begin, end, high, low)
                    : tree.width == 2 ? add_tree<std::uint16_t>(tree, begin, end, high, low)
                                      : add_tree<std::uint32_t>(tree, begin, end, high, low);
                if (!known) fits = false;
            }
            for (std::int64_t i = begin; i < end; ++i) {
                const double sum = high[i] + low[i];
                low[i] = (high[i] - sum) + low[i];
                high[i] = sum;
            }
        }
    });
    if (!fits) throw InputError("Leaves must be nodes of their trees.");
}

} // namespace ceiba
