#include "data/binning/edge_rule.hpp"

#include "base/wide_integer.hpp"

#include <algorithm>
#include <cmath>

namespace ceiba {
namespace {

// One run of the rule on a ladder. A cut is the index of the last rung of a bin.
class Application {
  public:
    Application(const Ladder& ladder, const EdgeRule& rule)
        : ladder_(ladder), rule_(rule), n_(static_cast<std::int32_t>(ladder.size())) {
        for (const Rung& rung : ladder) {
            total_ += rung.weight;
            n_ranges_ += rung.range >= 0;
        }
        bins_ = rule.max_value_bins;
    }

    EdgeChoice run() {
        EdgeChoice choice;
        if (n_ <= bins_) {
            // Possibly few enough distinct values: this is known only after opening all ranges.
            for (std::int32_t i = 0; i < n_ && n_ranges_ > 0; ++i) ask_if_range(i);
            for (std::int32_t i = 0; i + 1 < n_; ++i) cuts_.push_back(i);
        } else {
            // The total weight suffices for n_fit bins of the minimum weight.
            const std::uint64_t n_fit = std::max<std::uint64_t>(1, total_ / rule_.min_weight);
            bins_ = static_cast<std::int64_t>(std::min<std::uint64_t>(bins_, n_fit));
            if (find_heavy()) cut_stretches();
        }
        if (!asked_.empty()) {
            std::sort(asked_.begin(), asked_.end());
            asked_.erase(std::unique(asked_.begin(), asked_.end()), asked_.end());
            choice.asked = std::move(asked_);
            return choice;
        }
        join_light_bins();
        choice.edges.reserve(cuts_.size());
        for (const std::int32_t cut : cuts_)
            choice.edges.push_back(edge_between(ladder_[cut].value, ladder_[cut + 1].value));
        return choice;
    }

  private:
    void ask_if_range(std::int32_t i) {
        if (ladder_[i].range >= 0) asked_.push_back(i);
    }

    // A cut after rung i needs the last value of i and the first of i + 1.
    void cut_after(std::int32_t i) {
        if (i < 0 || i + 1 >= n_ || (!cuts_.empty() && cuts_.back() == i)) return;
        ask_if_range(i);
        ask_if_range(i + 1);
        cuts_.push_back(i);
    }

    // Giving heavy values their own bins makes the average of the others smaller, so that more
    // values count as heavy.
    bool find_heavy() {
        std::uint64_t light = total_;
        std::int64_t bins = bins_;
        constexpr int max_rounds = 16;
        for (int round = 0; round < max_rounds; ++round) {
            if (!mark_heavier_than(light, bins)) return false;
            const std::int64_t bins_before = bins;
            light = total_;
            for (const std::int32_t i : heavy_) light -= ladder_[i].weight;
            bins = bins_ - static_cast<std::int64_t>(heavy_.size());
            if (bins == bins_before || bins <= 0) break;
        }
        // Each stretch of light values needs a bin as well. If there are not enough bins, only
        // values heavier than two average bins are heavy: these always leave enough.
        if (count_stretches() + static_cast<std::int64_t>(heavy_.size()) > bins_)
            return mark_heavier_than(2 * WideUint{total_}, bins_);
        return true;
    }

    // Heavy: weight > light / bins. Returns false after requesting a range that may contain a heavy
    // value.
    bool mark_heavier_than(WideUint light, std::int64_t bins) {
        heavy_.clear();
        const WideUint average = light / static_cast<WideUint>(bins);
        for (std::int32_t i = 0; i < n_; ++i) {
            if (ladder_[i].weight <= average) continue;
            heavy_.push_back(i);
            ask_if_range(i);
        }
        return asked_.empty();
    }

    std::int64_t count_stretches() const {
        std::int64_t n_stretches = 0;
        std::int32_t next = 0;
        for (const std::int32_t i : heavy_) {
            n_stretches += i > next;
            next = i + 1;
        }
        return n_stretches + (next < n_);
    }

    void cut_stretches() {
        std::uint64_t light = total_;
        for (const std::int32_t i : heavy_) light -= ladder_[i].weight;
        const std::int64_t n_stretches = count_stretches();
        // Every stretch gets one bin. The other bins are distributed by light weight, rounded on
        // the running sum so that none is lost.
        const WideUint spare =
            static_cast<WideUint>(bins_ - static_cast<std::int64_t>(heavy_.size()) - n_stretches);
        std::uint64_t light_before = 0;
        std::int32_t begin = 0;
        for (std::size_t h = 0; h <= heavy_.size(); ++h) {
            const std::int32_t end = h < heavy_.size() ? heavy_[h] : n_;
            if (end > begin) {
                std::uint64_t weight = 0;
                for (std::int32_t i = begin; i < end; ++i) weight += ladder_[i].weight;
                const WideUint given = spare * light_before / light;
                light_before += weight;
                const WideUint bins = 1 + spare * light_before / light - given;
                cut_stretch(begin, weight, static_cast<std::uint64_t>(bins));
            }
            cut_after(end - 1);           // before a heavy value ...
            if (end < n_) cut_after(end); // ... and after it
            begin = end + 1;
        }
    }

    void cut_stretch(std::int32_t begin, std::uint64_t weight, std::uint64_t bins) {
        std::int32_t i = begin;
        std::uint64_t below = 0; // weight of the stretch before rung i
        for (std::uint64_t k = 1; k < bins; ++k) {
            const auto unit =
                static_cast<std::uint64_t>((WideUint{k} * weight + bins - 1) / bins); // 1-based
            while (below + ladder_[i].weight < unit) below += ladder_[i++].weight;
            const bool at_end = below + ladder_[i].weight == unit;
            if (ladder_[i].range >= 0 && !at_end) {
                asked_.push_back(i);
            } else {
                cut_after(i);
            }
        }
    }

    void join_light_bins() {
        if (rule_.min_weight <= 1) return;
        std::vector<std::int32_t> kept;
        std::uint64_t weight = 0;
        std::int32_t i = 0;
        for (const std::int32_t cut : cuts_) {
            for (; i <= cut; ++i) weight += ladder_[i].weight;
            if (weight < rule_.min_weight) continue;
            kept.push_back(cut);
            weight = 0;
        }
        for (; i < n_; ++i) weight += ladder_[i].weight;
        if (weight < rule_.min_weight && !kept.empty()) kept.pop_back();
        cuts_ = std::move(kept);
    }

    const Ladder& ladder_;
    const EdgeRule& rule_;
    std::int32_t n_;
    std::uint64_t total_ = 0;
    std::int64_t bins_ = 0, n_ranges_ = 0;
    std::vector<std::int32_t> heavy_, cuts_, asked_;
};

} // namespace

double edge_between(double low, double high) {
    double middle = (low + high) * 0.5;
    if (!std::isfinite(middle)) middle = low * 0.5 + high * 0.5; // the sum overflowed
    return std::isfinite(middle) && middle < high ? middle + 0.0 : low;
}

EdgeChoice choose_edges(const Ladder& ladder, const EdgeRule& rule) {
    return Application(ladder, rule).run();
}

} // namespace ceiba
