#include "data/binning/sketch.hpp"

#include "base/errors.hpp"

#include <algorithm>
#include <string>

namespace ceiba {

QuantileSummary QuantileSummary::exact(std::vector<SketchValue>& rows) {
    std::sort(rows.begin(), rows.end(),
              [](const SketchValue& a, const SketchValue& b) { return a.value < b.value; });
    QuantileSummary out;
    for (const SketchValue& row : rows) {
        if (row.weight == 0) continue;
        if (out.entries_.empty() || out.entries_.back().value != row.value)
            out.entries_.push_back({row.value, out.total_, out.total_});
        out.total_ += row.weight;
        out.entries_.back().reached = out.total_;
    }
    return out;
}

QuantileSummary QuantileSummary::merge(const QuantileSummary& a, const QuantileSummary& b) {
    QuantileSummary out;
    out.total_ = a.total_ + b.total_;
    out.entries_.reserve(a.entries_.size() + b.entries_.size());
    // State of one side of a merge: what its entries so far have reached, and its next entry.
    struct Side {
        const QuantileSummary& of;
        std::size_t next = 0;
        SketchWeight reached = 0;

        bool ended() const { return next == of.entries_.size(); }
        double value() const { return of.entries_[next].value; }
        SketchWeight below() const { return ended() ? of.total_ : of.entries_[next].below; }
        void step() { reached = of.entries_[next++].reached; }
    } left{a}, right{b};
    while (!left.ended() || !right.ended()) {
        const bool from_left = right.ended() || (!left.ended() && left.value() <= right.value()),
                   from_right = left.ended() || (!right.ended() && right.value() <= left.value());
        Entry entry{from_left ? left.value() : right.value(), 0, left.below() + right.below()};
        if (from_left) left.step();
        if (from_right) right.step();
        entry.reached = left.reached + right.reached;
        out.entries_.push_back(entry);
    }
    return out;
}

void QuantileSummary::prune(SketchWeight most) {
    if (entries_.size() <= 2) return;
    std::size_t kept = 1;
    for (std::size_t i = 1; i + 1 < entries_.size(); ++i) {
        // Drop the entry if the next one is still close enough to the last one kept.
        const SketchWeight reached = entries_[kept - 1].reached, below = entries_[i + 1].below;
        if (below > reached && below - reached > most) entries_[kept++] = entries_[i];
    }
    entries_[kept++] = entries_.back();
    entries_.resize(kept);
}

SketchWeight QuantileSummary::gap() const {
    SketchWeight most = 0, reached = 0;
    for (const Entry& entry : entries_) {
        if (entry.below > reached) most = std::max(most, entry.below - reached);
        reached = entry.reached;
    }
    return most;
}

double QuantileSummary::value_at(SketchWeight rank) const {
    // An entry may be off by below - rank on one side and by rank - reached on the other. They are
    // equal in the middle of its bounds, so the best entry is next to the rank there. Sums stay
    // below 2^63.
    const auto after =
        std::partition_point(entries_.begin(), entries_.end(), [&](const Entry& entry) {
            return entry.below + entry.reached <= 2 * rank;
        });
    if (after == entries_.begin()) return after->value;
    const auto before = after - 1;
    if (after == entries_.end() || before->reached >= rank) return before->value;
    const SketchWeight short_of = rank - before->reached,
                       beyond = after->below > rank ? after->below - rank : 0;
    return short_of <= beyond ? before->value : after->value;
}

std::vector<double> QuantileSummary::cuts(int n) const {
    std::vector<double> out;
    if (entries_.empty()) return out;
    for (int k = 1; k < n; ++k) {
        // total * k / n without overflowing 64 bits.
        const auto parts = static_cast<SketchWeight>(n), part = static_cast<SketchWeight>(k);
        const SketchWeight rank = total_ / parts * part + total_ % parts * part / parts;
        const double value = value_at(rank);
        if (out.empty() || value > out.back()) out.push_back(value);
    }
    return out;
}

QuantileSketch::QuantileSketch(double eps, std::int64_t block_rows)
    : eps_(eps), block_rows_(block_rows) {
    if (!(eps > 0 && eps < 1))
        throw InputError("eps must be between 0 and 1. Got " + std::to_string(eps) + ".");
    if (block_rows < 1)
        throw InputError("block_rows must be at least 1. Got " + std::to_string(block_rows) + ".");
}

void QuantileSketch::count_weight(SketchWeight weight) {
    if (weight > kMostWeight || total_ + weight > kMostWeight)
        throw InputError("The weights of a sketch must sum to less than 2^62 units. Use a "
                         "larger unit.");
    total_ += weight;
}

void QuantileSketch::add(double value, SketchWeight weight) {
    if (value != value) throw InputError("A sketch takes no missing values. Remove them first.");
    count_weight(weight);
    if (weight == 0) return;
    buffer_.push_back({value, weight});
    if (static_cast<std::int64_t>(buffer_.size()) >= block_rows_) close_buffer();
}

void QuantileSketch::add_block(QuantileSummary block) {
    if (block.empty()) return;
    count_weight(block.total());
    put(std::move(block), 0);
}

void QuantileSketch::close_buffer() {
    put(QuantileSummary::exact(buffer_), 0);
    buffer_.clear();
}

void QuantileSketch::put(QuantileSummary summary, int level) {
    // Slightly less than the given error, to allow for the rounding of this product.
    const double share = 2 * eps_ * (1 - 0x1p-40) / kLevels;
    for (;; ++level) {
        // Beyond the last level the error still holds, but the size is no longer bounded.
        summary.prune(static_cast<SketchWeight>(share * std::min(level + 1, kLevels) *
                                                static_cast<double>(summary.total())));
        const auto place = static_cast<std::size_t>(level);
        if (place >= levels_.size()) levels_.resize(place + 1);
        if (levels_[place].empty()) {
            levels_[place] = std::move(summary);
            return;
        }
        summary = QuantileSummary::merge(levels_[place], summary);
        levels_[place] = {};
    }
}

void QuantileSketch::merge(const QuantileSketch& other) {
    if (other.eps_ != eps_ || other.block_rows_ != block_rows_)
        throw InputError("Only sketches of the same error and block size can be merged.");
    // A sketch may be merged with itself.
    const std::vector<QuantileSummary> others = other.levels_;
    const std::vector<SketchValue> rows = other.buffer_;
    count_weight(other.total_);
    buffer_.insert(buffer_.end(), rows.begin(), rows.end());
    if (static_cast<std::int64_t>(buffer_.size()) >= block_rows_) close_buffer();
    for (std::size_t level = 0; level < others.size(); ++level)
        if (!others[level].empty()) put(others[level], static_cast<int>(level));
}

QuantileSummary QuantileSketch::summary() const {
    std::vector<SketchValue> rows = buffer_;
    QuantileSummary all = QuantileSummary::exact(rows);
    for (const QuantileSummary& summary : levels_)
        if (!summary.empty()) all = QuantileSummary::merge(all, summary);
    return all;
}

std::int64_t QuantileSketch::n_entries() const {
    auto n = static_cast<std::int64_t>(buffer_.size());
    for (const QuantileSummary& summary : levels_)
        n += static_cast<std::int64_t>(summary.entries().size());
    return n;
}

std::int64_t QuantileSketch::most_entries(std::int64_t n_rows) const {
    std::int64_t n_levels = 0;
    for (std::int64_t blocks = n_rows / block_rows_; blocks > 0; blocks /= 2) ++n_levels;
    const auto of_level = static_cast<std::int64_t>(kLevels / (2 * eps_ * (1 - 0x1p-30))) + 3;
    return std::min(block_rows_ - 1, n_rows) + n_levels * of_level;
}

} // namespace ceiba
