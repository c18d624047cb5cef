// What the trees of a segment need of each feature: thresholds to compare with, sets to look up.
//
// The life of the needs of a segment:
//   1. take() adds a tree, unless it exceeds the limits of byte codes, planes or memory.
//   2. make_coders() numbers the planes and creates their coders.
//   3. split_of() returns the plane that a node reads, and the code that it compares with.
//   4. clear(), then the next segment.
#pragma once

#include "model/coded_forest.hpp"

#include <compare>
#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <vector>

namespace ceiba {

class SegmentNeeds {
  public:
    SegmentNeeds(const TreeArrays& arrays, std::int64_t n_features);

    bool take(std::int64_t tree);
    void make_coders(Segment& segment);
    CodedSplit split_of(std::int64_t node) const;
    void clear();

  private:
    // A set together with the direction of missing values: different directions need different
    // planes.
    struct SetKey {
        std::int32_t feature;
        bool missing_left;
        std::span<const std::uint64_t> words;

        std::int64_t n_levels() const; // up to its highest level
        std::strong_ordering operator<=>(const SetKey& other) const;
        bool operator==(const SetKey& other) const { return (*this <=> other) == 0; }
    };
    using Sets = std::map<SetKey, std::int32_t>; // to their planes; ordered by feature
    struct Planes {
        std::int32_t missing_right = -1, missing_left = -1;
    };

    SetKey key_of(std::int64_t node) const;
    bool take_threshold(std::int64_t node);
    bool sets_fit() const;
    void make_threshold_coders(Segment& segment);
    void make_level_coders(Segment& segment);
    // Call visit(first, last, n_levels) with the sets of each feature.
    template <class Iterator, class Visit>
    static void for_features(Iterator first, Iterator end, Visit visit);

    const TreeArrays& a_;
    int n_trees_ = 0;
    std::vector<std::vector<double>> thresholds_;                 // sorted, per feature
    std::vector<Planes> planes_;                                  // per feature
    std::vector<std::pair<std::int32_t, double>> new_thresholds_; // of the current tree
    Sets sets_;
    std::int64_t n_level_bytes_ = 0; // of all segments so far
};

} // namespace ceiba
