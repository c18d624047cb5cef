#include "leaf/shard_residuals.hpp"

#include "base/errors.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <utility>

namespace ceiba {

namespace {

constexpr std::uint64_t kSign = std::uint64_t{1} << 63;

} // namespace

std::uint64_t ordered_key(double value) {
    const auto bits = std::bit_cast<std::uint64_t>(value);
    return (bits & kSign) != 0 ? ~bits : bits | kSign;
}

double value_of_key(std::uint64_t key) {
    return std::bit_cast<double>((key & kSign) != 0 ? key & ~kSign : ~key);
}

ShardResiduals::ShardResiduals(LeafResiduals&& residuals) : residuals_(std::move(residuals)) {}

void ShardResiduals::count(std::span<const std::uint64_t> prefixes, int n_done, int n_bits,
                           std::span<std::int64_t> out) const {
    std::fill(out.begin(), out.end(), 0);
    const int left = 64 - n_done - n_bits;
    const std::uint64_t mask = (std::uint64_t{1} << n_bits) - 1;
    for (std::size_t node = 0; node < prefixes.size(); ++node) {
        std::int64_t* own = out.data() + (node << n_bits);
        for (const WeightedValue& entry : of_node(node)) {
            const std::uint64_t key = ordered_key(entry.value);
            if (n_done > 0 && key >> (64 - n_done) != prefixes[node]) continue;
            own[(key >> left) & mask] += entry.weight;
        }
    }
}

void ShardResiduals::center(std::span<const double> medians, double delta) {
    units_ = HuberUnits(delta);
    slopes_.clear();
    for (std::size_t node = 0; node < medians.size(); ++node) {
        const std::span<const WeightedValue> own = of_node(node);
        std::vector<WeightedValue> sorted(own.begin(), own.end());
        std::sort(sorted.begin(), sorted.end(),
                  [](const auto& a, const auto& b) { return a.value < b.value; });
        slopes_.emplace_back(sorted, medians[node], units_);
    }
}

void ShardResiduals::lines(std::span<const std::int64_t> points, std::span<Limbs> slopes,
                           std::span<std::int64_t> rises) const {
    const std::size_t n_points = points.size() / std::max<std::size_t>(1, slopes_.size());
    for (std::size_t i = 0; i < points.size(); ++i) {
        const HuberSlope::Line line = slopes_[i / n_points].line_at(points[i]);
        slopes[i] = limbs_of(line(points[i]));
        rises[i] = line.rise;
    }
}

void ShardResiduals::neighbors(std::span<const std::int64_t> points, std::span<std::int64_t> before,
                               std::span<std::int64_t> after) const {
    for (std::size_t node = 0; node < slopes_.size(); ++node) {
        before[node] = std::numeric_limits<std::int64_t>::min();
        after[node] = std::numeric_limits<std::int64_t>::max();
        const std::vector<std::int64_t>& values = slopes_[node].values();
        for (const std::int64_t shift : {-units_.delta, units_.delta}) {
            const auto next = std::upper_bound(values.begin(), values.end(), points[node] - shift);
            if (next != values.begin()) before[node] = std::max(before[node], next[-1] + shift);
            if (next != values.end()) after[node] = std::min(after[node], *next + shift);
        }
    }
}

void ShardResiduals::clipped_sums(std::span<const double> medians, double delta,
                                  std::span<Limbs> sums) const {
    const HuberUnits units(delta);
    for (std::size_t node = 0; node < medians.size(); ++node) {
        WideInt sum = 0;
        for (const WeightedValue& entry : of_node(node))
            sum += WideInt{units.clipped(entry.value - medians[node], 1)} * entry.weight;
        sums[node] = limbs_of(sum);
    }
}

} // namespace ceiba
