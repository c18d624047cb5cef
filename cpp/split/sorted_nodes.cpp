#include "split/sorted_nodes.hpp"

#include "data/binning/edge_rule.hpp"
#include "parallel/pool.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>

namespace ceiba {

namespace {

// Bits of the largest gradient of a node; sums stay below 2^51, which doubles hold exactly.
constexpr int kLevels = 40, kSumBits = 51;

inline std::int64_t nearest(double x) {
    constexpr double kMagic = 0x1.8p52; // exact for |x| < 2^51, ties to even
    return static_cast<std::int64_t>(std::bit_cast<std::uint64_t>(x + kMagic)) -
           static_cast<std::int64_t>(std::bit_cast<std::uint64_t>(kMagic));
}

// The power of two that scales `largest` to just below the highest level.
double scale_for(double largest, std::int64_t repeats) {
    if (!(largest > 0)) return 1;
    const int levels = std::min(kSumBits - bits_for(static_cast<std::uint64_t>(repeats)), kLevels);
    return power_of_two(std::clamp(levels - exponent_above(largest), -1000, 1000));
}

// Stable partition: moves rows that go left to the front.
template <class Entry, class GoesLeft>
std::int64_t move_left(Entry* entries, std::int64_t n, std::vector<Entry>& aside,
                       GoesLeft goes_left) {
    if (aside.size() < static_cast<std::size_t>(n)) aside.resize(static_cast<std::size_t>(n));
    std::int64_t n_left = 0, n_right = 0;
    for (std::int64_t i = 0; i < n; ++i) {
        const Entry entry = entries[i];
        const bool left = goes_left(entry);
        entries[n_left] = entry;
        aside[static_cast<std::size_t>(n_right)] = entry;
        n_left += left;
        n_right += !left;
    }
    std::copy_n(aside.data(), n_right, entries + n_left);
    return n_left;
}

} // namespace

void SortedNodes::start(const RankedColumns& ranked, std::span<const int> columns,
                        std::span<const GradientView> views, const RowSelection& selection,
                        const GainRule& rule, int n_threads) {
    ranked_ = &ranked;
    rule_ = &rule;
    views_.assign(views.begin(), views.end());
    weights_ = selection.weights;
    centered_ = rule.entropy == Entropy::none && rule.lambda == 0 && rule.alpha == 0;
    n_ = selection.size(ranked.n_rows());
    columns_.assign(columns.begin(), columns.end());
    slots_.assign(static_cast<std::size_t>(ranked.n_features()), -1);
    for (std::size_t i = 0; i < columns_.size(); ++i)
        slots_[static_cast<std::size_t>(columns_[i])] = static_cast<std::int64_t>(i);

    const auto n = static_cast<std::size_t>(n_);
    selected_.need(n);
    members_.need(n);
    locals_.need(n);
    goes_left_.need(n);
    entries_.need(std::max<std::size_t>(1, n * columns_.size()));
    gradients_.need(n * views_.size());
    if (weights_.weights != nullptr) rests_.need(n);
    std::vector<std::int32_t> local_of; // empty: the tree has all rows of the table
    if (selection.all) {
        std::iota(selected_.data(), selected_.data() + n_, 0);
    } else {
        std::copy_n(selection.rows.data(), n_, selected_.data());
        local_of.assign(static_cast<std::size_t>(ranked.n_rows()), -1);
        for (std::int64_t i = 0; i < n_; ++i)
            local_of[static_cast<std::size_t>(selected_[static_cast<std::size_t>(i)])] =
                static_cast<std::int32_t>(i);
    }
    std::copy_n(selected_.data(), n_, members_.data());
    std::iota(locals_.data(), locals_.data() + n_, 0);
    parallel_for(useful_threads(n_threads, 4 * n_ * std::ssize(columns_)), std::ssize(columns_),
                 [&](std::int64_t i) {
                     sort_column(ranked, columns_[static_cast<std::size_t>(i)], local_of);
                 });
}

void SortedNodes::sort_column(const RankedColumns& ranked, int feature,
                              std::span<const std::int32_t> local_of) {
    const std::uint32_t* ranks = ranked.ranks(feature);
    RankedRow* to = entries(feature);
    for (const std::int32_t row : ranked.order(feature)) {
        const std::int32_t local = local_of.empty() ? row : local_of[static_cast<std::size_t>(row)];
        if (local >= 0) *to++ = {ranks[row], local};
    }
    if (!ranked.has_missing(feature)) return;
    for (std::int64_t i = 0; i < n_; ++i)
        if (ranks[selected_[static_cast<std::size_t>(i)]] == RankedColumns::kMissing)
            *to++ = {RankedColumns::kMissing, static_cast<std::int32_t>(i)};
}

bool SortedNodes::look_at(std::int64_t begin, std::int64_t end) {
    begin_ = begin;
    end_ = end;
    std::int64_t repeats = end - begin;
    if (weights_.multiply_after()) {
        repeats = 0;
        for (std::int64_t i = begin; i < end; ++i)
            repeats += nearest(weights_.weights[members_[static_cast<std::size_t>(i)]]);
    }
    set_hessians(repeats);
    gradient_units_.resize(views_.size());
    gradient_sums_.resize(views_.size());
    gradient_totals_.resize(views_.size());
    bool differ = false;
    for (std::size_t output = 0; output < views_.size(); ++output)
        differ |= set_gradients(output, repeats);
    if (!differ) return false;
    score_ = 0;
    const double hessian = static_cast<double>(total_.hessian) * hessian_unit_;
    for (const double gradient : gradient_sums_)
        score_ += unbounded_score(gradient, hessian, *rule_);
    return true;
}

void SortedNodes::set_hessians(std::int64_t repeats) {
    hessian_unit_ = views_[0].constant_hessian;
    total_ = {end_ - begin_, end_ - begin_};
    if (weights_.weights == nullptr) return;
    total_ = {0, 0};
    double scale = 1;
    if (weights_.multiply_before()) {
        double largest = 0;
        for (std::int64_t i = begin_; i < end_; ++i)
            largest = std::max(largest, weights_.weights[members_[static_cast<std::size_t>(i)]]);
        scale = scale_for(largest * hessian_unit_, repeats);
    }
    for (std::int64_t i = begin_; i < end_; ++i) {
        const double weight = weights_.weights[members_[static_cast<std::size_t>(i)]];
        Rest& rest = rests_[static_cast<std::size_t>(locals_[static_cast<std::size_t>(i)])];
        if (weights_.multiply_before()) {
            rest = {nearest(weight * hessian_unit_ * scale), 1};
        } else {
            const std::int64_t times = nearest(weight);
            rest = {times, weights_.counted ? times : 1};
        }
        total_.hessian += rest.hessian;
        total_.count += rest.count;
    }
    if (weights_.multiply_before()) hessian_unit_ = 1 / scale;
}

// Returns whether the gradients differ.
bool SortedNodes::set_gradients(std::size_t output, std::int64_t repeats) {
    const double* given = views_[output].gradients;
    const std::int32_t* rows = members_.data();
    double low = given[rows[begin_]], high = low;
    for (std::int64_t i = begin_ + 1; i < end_; ++i) {
        const double value = given[rows[i]];
        low = value < low ? value : low;
        high = value > high ? value : high;
    }
    const double middle = centered_ ? low / 2 + high / 2 : 0.0;
    double largest = std::max(std::fabs(low - middle), std::fabs(high - middle));
    const bool before = weights_.multiply_before(), after = weights_.multiply_after();
    if (before) {
        largest = 0;
        for (std::int64_t i = begin_; i < end_; ++i)
            largest =
                std::max(largest, std::fabs((given[rows[i]] - middle) * weights_.weights[rows[i]]));
    }
    const double scale = scale_for(largest, repeats);
    const double limit = power_of_two(kLevels) - 1;
    std::int64_t* to = gradients_.data() + static_cast<std::int64_t>(output) * n_;
    std::int64_t total = 0;
    for (std::int64_t i = begin_; i < end_; ++i) {
        double value = given[rows[i]] - middle;
        if (before) value *= weights_.weights[rows[i]];
        value = std::clamp(value * scale, -limit, limit);
        std::int64_t units = nearest(value);
        if (after) units *= nearest(weights_.weights[rows[i]]);
        to[locals_[static_cast<std::size_t>(i)]] = units;
        total += units;
    }
    gradient_units_[output] = 1 / scale;
    gradient_totals_[output] = total;
    gradient_sums_[output] = static_cast<double>(total) / scale;
    return low < high;
}

struct SortedNodes::Sides {
    std::vector<std::int64_t> gradients; // by output
    Rest rest{0, 0};
};

double SortedNodes::gain_of(const Sides& left) const {
    constexpr double kNever = -std::numeric_limits<double>::infinity();
    const GainRule& rule = *rule_;
    const auto count_left = static_cast<double>(left.rest.count),
               count_right = static_cast<double>(total_.count - left.rest.count);
    const double hessian_left = static_cast<double>(left.rest.hessian) * hessian_unit_,
                 hessian_right =
                     static_cast<double>(total_.hessian - left.rest.hessian) * hessian_unit_;
    if (count_left < rule.min_count || count_right < rule.min_count ||
        !(hessian_left >= rule.min_child_weight) || !(hessian_right >= rule.min_child_weight))
        return kNever;
    double sum = 0;
    for (std::size_t k = 0; k < left.gradients.size(); ++k) {
        const std::int64_t own = left.gradients[k];
        sum += unbounded_score(static_cast<double>(own) * gradient_units_[k], hessian_left, rule) +
               unbounded_score(static_cast<double>(gradient_totals_[k] - own) * gradient_units_[k],
                               hessian_right, rule);
    }
    return sum - score_;
}

// One output, Newton gains without penalties, nothing missing. kPlain: rows have no weights.
template <bool kPlain>
void SortedNodes::scan_rows(const RankedRow* entries, std::int64_t n, int feature,
                            Split& best) const {
    const GainRule& rule = *rule_;
    const std::int64_t* gradients = gradients_.data();
    const double unit = gradient_units_[0], sum = gradient_sums_[0], parent = score_;
    const double hessians = static_cast<double>(total_.hessian) * hessian_unit_;
    std::int64_t gradient = 0;
    Rest left{0, 0};
    double most = best.gain;
    std::int64_t at = -1;
    Rest found{0, 0};
    for (std::int64_t i = 0; i + 1 < n; ++i) {
        const auto row = static_cast<std::size_t>(entries[i].row());
        gradient += gradients[row];
        if constexpr (kPlain) {
            left.hessian = left.count = i + 1;
        } else {
            left.hessian += rests_[row].hessian;
            left.count += rests_[row].count;
        }
        if (entries[i].rank() == entries[i + 1].rank()) continue;
        const double g = static_cast<double>(gradient) * unit, other_g = sum - g;
        const double h = static_cast<double>(left.hessian) * hessian_unit_, other_h = hessians - h;
        const double gain = g * g / h + other_g * other_g / other_h - parent;
        if (!(gain > most)) continue;
        const auto count = static_cast<double>(left.count);
        if (count < rule.min_count || static_cast<double>(total_.count) - count < rule.min_count ||
            !(h >= rule.min_child_weight) || !(other_h >= rule.min_child_weight) || !(h > 0) ||
            !(other_h > 0))
            continue;
        most = gain;
        at = i;
        found = left;
    }
    if (at < 0) return;
    best.gain = most;
    best.decision = {feature, entries[at].rank(), true, nullptr};
    best.left = {0, found.hessian, found.count};
}

void SortedNodes::scan_any(const RankedRow* entries, std::int64_t n, int feature,
                           Split& best) const {
    const std::size_t n_outputs = views_.size();
    const auto add = [&](Sides& sides, std::int64_t i) {
        const auto row = static_cast<std::size_t>(entries[i].row());
        for (std::size_t k = 0; k < n_outputs; ++k)
            sides.gradients[k] += gradients_[k * static_cast<std::size_t>(n_) + row];
        const Rest rest = weights_.weights == nullptr ? Rest{1, 1} : rests_[row];
        sides.rest.hessian += rest.hessian;
        sides.rest.count += rest.count;
    };
    Sides left{std::vector<std::int64_t>(n_outputs, 0), {0, 0}}, missing = left, both = left;
    std::int64_t n_present = n;
    for (; n_present > 0 && entries[n_present - 1].rank() == RankedColumns::kMissing; --n_present)
        add(missing, n_present - 1);
    const auto consider = [&](const Sides& sides, std::int64_t i, bool missing_left) {
        const double gain = gain_of(sides);
        if (!(gain > best.gain)) return;
        best.gain = gain;
        best.decision = {feature, entries[i].rank(), missing_left, nullptr};
        best.left = {0, sides.rest.hessian, sides.rest.count};
    };
    for (std::int64_t i = 0; i < n_present; ++i) {
        add(left, i);
        const bool last = i + 1 == n_present;
        if (!last && entries[i].rank() == entries[i + 1].rank()) continue;
        if (n_present == n) {
            if (!last) consider(left, i, true);
            continue;
        }
        if (!last) { // missing rows to the left, then to the right
            for (std::size_t k = 0; k < n_outputs; ++k)
                both.gradients[k] = left.gradients[k] + missing.gradients[k];
            both.rest = {left.rest.hessian + missing.rest.hessian,
                         left.rest.count + missing.rest.count};
            consider(both, i, true);
        }
        consider(left, i, false);
    }
}

void SortedNodes::scan(int feature, Split& best) const {
    const RankedRow* own = entries(feature) + begin_;
    const std::int64_t n = end_ - begin_;
    const bool simple =
        views_.size() == 1 && centered_ && own[n - 1].rank() != RankedColumns::kMissing;
    if (own[0].rank() == own[n - 1].rank()) return; // constant
    if (!simple)
        scan_any(own, n, feature, best);
    else if (weights_.weights == nullptr)
        scan_rows<true>(own, n, feature, best);
    else
        scan_rows<false>(own, n, feature, best);
}

std::int64_t SortedNodes::divide(Split& split, std::int64_t begin, std::int64_t end, bool further,
                                 int n_threads) {
    Decision& decision = split.decision;
    const RankedRow* sorted = entries(decision.feature) + begin;
    const std::int64_t n = end - begin;
    const auto place = std::partition_point(
                           sorted, sorted + n,
                           [&](const RankedRow& entry) { return entry.rank() <= decision.last; }) -
                       sorted;
    for (std::int64_t i = 0; i < n; ++i)
        goes_left_[static_cast<std::size_t>(sorted[i].row())] =
            i < place || (decision.missing_left && sorted[i].rank() == RankedColumns::kMissing);
    const std::uint32_t above = place < n ? sorted[place].rank() : RankedColumns::kMissing;
    const auto values = ranked_->values(decision.feature);
    split.threshold = above == RankedColumns::kMissing
                          ? std::numeric_limits<double>::infinity()
                          : edge_between(values[decision.last], values[above]);
    // Rows outside the sample may lie between the two neighbors.
    decision.last = ranked_->n_values_up_to(decision.feature, split.threshold) - 1;

    thread_local std::vector<std::int32_t> aside_rows;
    const std::uint8_t* goes_left = goes_left_.data();
    std::int32_t* locals = locals_.data() + begin;
    std::int32_t* members = members_.data() + begin;
    const std::int64_t n_left =
        move_left(locals, n, aside_rows, [&](std::int32_t row) { return goes_left[row] != 0; });
    for (std::int64_t i = 0; i < n; ++i)
        members[i] = selected_[static_cast<std::size_t>(locals[i])];
    if (!further) return n_left;
    parallel_for(useful_threads(n_threads, 2 * n * std::ssize(columns_)), std::ssize(columns_),
                 [&](std::int64_t c) {
                     thread_local std::vector<RankedRow> aside;
                     move_left(entries_.data() + c * n_ + begin, n, aside,
                               [&](RankedRow entry) { return goes_left[entry.row()] != 0; });
                 });
    return n_left;
}

} // namespace ceiba
