#include "model/segment_needs.hpp"

#include "model/cell_table.hpp"

#include <algorithm>
#include <bit>
#include <iterator>

namespace ceiba {

namespace {

constexpr std::size_t kMostThresholds = 255;
// Maximum number of set planes in a segment, 256 bytes each: they should stay in the L2 cache
// between writing and reading. A tree with more sets has its own segment.
constexpr std::size_t kMostSets = 1024;
constexpr std::size_t kMostSetsOfATree = 1 << 16;
// Maximum size of the level tables of a segment and of all segments. Sets of very different lengths
// could need far more memory than they have themselves.
constexpr std::int64_t kMostLevelBytes = std::int64_t{1} << 26;
constexpr std::int64_t kMostLevelBytesOfAll = std::int64_t{1} << 30;
// Bytes in a plane of a set; 0 goes right.
constexpr std::int8_t kLeftByte = -1;

std::int64_t bytes_for(std::int64_t n_sets) {
    return (n_sets + 7) / 8;
}

} // namespace

std::int64_t SegmentNeeds::SetKey::n_levels() const {
    if (words.empty()) return 0;
    return 64 * (std::ssize(words) - 1) + std::bit_width(words.back());
}

std::strong_ordering SegmentNeeds::SetKey::operator<=>(const SetKey& other) const {
    if (feature != other.feature) return feature <=> other.feature;
    if (missing_left != other.missing_left) return missing_left <=> other.missing_left;
    return std::lexicographical_compare_three_way(words.begin(), words.end(), other.words.begin(),
                                                  other.words.end());
}

SegmentNeeds::SegmentNeeds(const TreeArrays& arrays, std::int64_t n_features)
    : a_(arrays), thresholds_(static_cast<std::size_t>(n_features)),
      planes_(static_cast<std::size_t>(n_features)) {}

SegmentNeeds::SetKey SegmentNeeds::key_of(std::int64_t node) const {
    return {a_.feature[node], a_.missing_left[node] != 0, a_.set_at(node)};
}

bool SegmentNeeds::take(std::int64_t tree) {
    std::vector<Sets::iterator> new_sets;
    new_thresholds_.clear();
    bool fits = true;
    for (std::int64_t i = a_.tree_offsets[tree]; fits && i < a_.tree_offsets[tree + 1]; ++i) {
        if (a_.feature[i] < 0) continue;
        if (a_.splits_by_set(i)) {
            const auto [place, is_new] = sets_.try_emplace(key_of(i), -1);
            if (is_new) new_sets.push_back(place);
        } else {
            fits = take_threshold(i);
        }
    }
    if (fits && (new_sets.empty() || sets_fit())) {
        ++n_trees_;
        return true;
    }
    for (const auto& [feature, threshold] : new_thresholds_) {
        auto& sorted = thresholds_[feature];
        sorted.erase(std::lower_bound(sorted.begin(), sorted.end(), threshold));
    }
    for (const auto& place : new_sets) sets_.erase(place);
    return false;
}

bool SegmentNeeds::take_threshold(std::int64_t node) {
    auto& sorted = thresholds_[a_.feature[node]];
    const double threshold = a_.threshold[node];
    const auto place = std::lower_bound(sorted.begin(), sorted.end(), threshold);
    if (place != sorted.end() && *place == threshold) return true;
    sorted.insert(place, threshold);
    new_thresholds_.emplace_back(a_.feature[node], threshold);
    return sorted.size() <= kMostThresholds;
}

template <class Iterator, class Visit>
void SegmentNeeds::for_features(Iterator first, Iterator end, Visit visit) {
    while (first != end) {
        std::int64_t n_levels = 0;
        Iterator last = first;
        for (; last != end && last->first.feature == first->first.feature; ++last)
            n_levels = std::max(n_levels, last->first.n_levels());
        visit(first, last, n_levels);
        first = last;
    }
}

bool SegmentNeeds::sets_fit() const {
    if (sets_.size() > (n_trees_ == 0 ? kMostSetsOfATree : kMostSets)) return false;
    std::int64_t n_bytes = 0;
    for_features(sets_.begin(), sets_.end(), [&](auto first, auto last, std::int64_t n_levels) {
        n_bytes += (n_levels + 2) * bytes_for(std::distance(first, last));
    });
    return n_bytes <= kMostLevelBytes && n_level_bytes_ + n_bytes <= kMostLevelBytesOfAll;
}

void SegmentNeeds::make_coders(Segment& segment) {
    for (Planes& planes : planes_) planes = {};
    for (std::int64_t i = a_.tree_offsets[segment.tree_begin];
         i < a_.tree_offsets[segment.tree_end]; ++i) {
        if (a_.feature[i] < 0 || a_.splits_by_set(i)) continue;
        Planes& planes = planes_[a_.feature[i]];
        (a_.missing_left[i] ? planes.missing_left : planes.missing_right) = 0;
    }
    make_threshold_coders(segment);
    make_level_coders(segment);
}

void SegmentNeeds::make_threshold_coders(Segment& segment) {
    for (std::size_t feature = 0; feature < thresholds_.size(); ++feature) {
        const auto& thresholds = thresholds_[feature];
        if (thresholds.empty()) continue;
        FeatureCoder coder;
        coder.feature = static_cast<std::int32_t>(feature);
        coder.n_thresholds = static_cast<int>(thresholds.size());
        Planes& planes = planes_[feature];
        if (planes.missing_right == 0)
            coder.missing_right_plane = planes.missing_right = segment.n_planes++;
        if (planes.missing_left == 0)
            coder.missing_left_plane = planes.missing_left = segment.n_planes++;
        coder.doubles = make_cell_table(thresholds);
        std::vector<float> rounded(thresholds.size());
        std::transform(thresholds.begin(), thresholds.end(), rounded.begin(), round_down);
        coder.floats = make_cell_table(rounded);
        segment.coders.push_back(std::move(coder));
    }
}

void SegmentNeeds::make_level_coders(Segment& segment) {
    for_features(sets_.begin(), sets_.end(), [&](auto first, auto last, std::int64_t n_levels) {
        LevelCoder coder;
        coder.feature = first->first.feature;
        coder.n_levels = static_cast<std::int32_t>(n_levels);
        coder.first_plane = segment.n_planes;
        coder.stride = static_cast<std::int32_t>(bytes_for(std::distance(first, last)));
        coder.bits.assign(
            static_cast<std::size_t>(n_levels + 2) * static_cast<std::size_t>(coder.stride), 0);
        for (auto place = first; place != last; ++place) {
            const std::int32_t number = coder.n_planes++;
            const auto note = [&](std::int64_t level) {
                coder.bits[static_cast<std::size_t>(level * coder.stride + number / 8)] |=
                    static_cast<std::uint8_t>(1 << (number % 8));
            };
            const auto& words = place->first.words;
            for (std::int64_t w = 0; w < std::ssize(words); ++w)
                for (std::uint64_t rest = words[static_cast<std::size_t>(w)]; rest != 0;
                     rest &= rest - 1)
                    note(64 * w + std::countr_zero(rest));
            if (place->first.missing_left) note(n_levels + 1);
            place->second = segment.n_planes++;
        }
        n_level_bytes_ += std::ssize(coder.bits);
        segment.level_coders.push_back(std::move(coder));
    });
}

CodedSplit SegmentNeeds::split_of(std::int64_t node) const {
    if (a_.splits_by_set(node))
        return {static_cast<std::uint32_t>(sets_.at(key_of(node))), kLeftByte, 0, 0};
    const auto& sorted = thresholds_[a_.feature[node]];
    const auto code =
        std::lower_bound(sorted.begin(), sorted.end(), a_.threshold[node]) - sorted.begin();
    const Planes& planes = planes_[a_.feature[node]];
    const std::int32_t plane = a_.missing_left[node] ? planes.missing_left : planes.missing_right;
    return {static_cast<std::uint32_t>(plane), static_cast<std::int8_t>(code - 128), 0, 0};
}

void SegmentNeeds::clear() {
    n_trees_ = 0;
    for (auto& thresholds : thresholds_) thresholds.clear();
    sets_.clear();
}

} // namespace ceiba
