// Histograms: for every bin of every column, the sums of the rows of one node (rows/planes.hpp).
//
// Rows are summed into scratch, where every column has the same stride: the address of a bin then
// depends only on the code, and the scratch of a group (16 columns x 256 bins x 8 bytes) fits into
// the L1 cache. From scratch, bins are moved (single, wide) or flushed (packed) to the node's
// histogram. There, features that share a column of codes are separated; their packed words are
// first flushed to pairs in scratch, and separated once.
#pragma once

#include "data/coded/binned.hpp"
#include "gradient/packing.hpp"
#include "rows/planes.hpp"

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace ceiba {

// Offsets of the bins of columns. Groups of columns are stored one after the other, and so are the
// columns of a group.
struct HistogramLayout {
    std::vector<int> n_codes;          // per column in that order, including the missing bin
    std::vector<std::int64_t> offsets; // of its first bin in a plane, then the end
    std::vector<int> place_of;         // index of a feature in that order; -1: it has no bins
    std::vector<std::size_t> first_of; // index of the first column of each group, then the end

    HistogramLayout() = default;
    HistogramLayout(const BinMapper& mapper, std::span<const std::vector<int>> groups);

    std::int64_t n_bins() const { return offsets.back(); }
    bool has(int feature) const { return place_of[static_cast<std::size_t>(feature)] >= 0; }
    // Index of the first bin of a feature in a plane.
    std::int64_t first_bin(int feature) const {
        return offsets[static_cast<std::size_t>(place_of[static_cast<std::size_t>(feature)])];
    }
    // The bins of a feature, and of a group, in a histogram.
    Planes of_feature(std::uint64_t* histogram, int n_planes, int feature) const {
        const auto place = static_cast<std::size_t>(place_of[static_cast<std::size_t>(feature)]);
        return between(histogram, n_planes, place, place + 1);
    }
    Planes of_group(std::uint64_t* histogram, int n_planes, int group) const {
        const auto at = static_cast<std::size_t>(group);
        return between(histogram, n_planes, first_of[at], first_of[at + 1]);
    }

  private:
    Planes between(std::uint64_t* histogram, int n_planes, std::size_t first,
                   std::size_t end) const {
        return {histogram + offsets[first], n_bins(), n_planes, offsets[end] - offsets[first]};
    }
};

// Rows of one node in contiguous memory. `rows` null: the rows begin..end themselves.
struct RowRange {
    const std::int32_t* rows = nullptr;
    std::int64_t begin = 0, end = 0;
};

// One group of columns, for the kernels.
struct GroupView {
    const void* codes = nullptr;
    bool narrow = true;
    int width = 0; // features
    int stride = 256;
    const int* n_codes = nullptr;         // of the group's features
    int n_columns = 0;                    // columns of codes
    const FeaturePlace* places = nullptr; // of the features; null if none share a column
    const int* codes_of_column = nullptr; // null likewise
};

// Scratch is all zero between uses.
struct Scratch {
    std::vector<std::uint64_t> words;
    std::vector<Pair> pairs;
};

#define CEIBA_DECLARE_HISTOGRAM_KERNELS(arch)                                                      \
    namespace arch {                                                                               \
    void add_words(const GroupView& group, const RowRange& rows, const std::uint64_t* words,       \
                   std::uint64_t* scratch);                                                        \
    void add_pairs(const GroupView& group, const RowRange& rows, const Pair* pairs,                \
                   Pair* scratch);                                                                 \
    void move_words(const GroupView& group, std::uint64_t* scratch, const Planes& to);             \
    void move_pairs(const GroupView& group, Pair* scratch, const Planes& to);                      \
    void flush_packed(const GroupView& group, std::uint64_t* scratch, int count_bits, bool first,  \
                      const Planes& to);                                                           \
    void flush_pairs(const GroupView& group, std::uint64_t* scratch, int count_bits, Pair* to);    \
    void add_bins(const Planes& to, const Planes& from);                                           \
    void subtract_bins(const Planes& from, const Planes& what);                                    \
    }
CEIBA_DECLARE_HISTOGRAM_KERNELS(baseline)
CEIBA_DECLARE_HISTOGRAM_KERNELS(avx2)
#undef CEIBA_DECLARE_HISTOGRAM_KERNELS

struct HistogramKernels {
    decltype(&baseline::add_words) add_words;
    decltype(&baseline::add_pairs) add_pairs;
    decltype(&baseline::move_words) move_words;
    decltype(&baseline::move_pairs) move_pairs;
    decltype(&baseline::flush_packed) flush_packed;
    decltype(&baseline::flush_pairs) flush_pairs;
    decltype(&baseline::add_bins) add_bins;
    decltype(&baseline::subtract_bins) subtract_bins;
};

const HistogramKernels& histogram_kernels();

// Pool of equally sized histograms: a tree allocates only if it needs more than all earlier trees.
class HistogramPool {
  public:
    // Drop the histograms if they are too small or far too large.
    void set_size(std::int64_t n_words);
    int take(); // the index of a histogram with arbitrary content
    void give_back(int number);
    void give_all_back();
    // Whether too much memory is in use to keep a histogram: the children of its node are then
    // summed from their rows.
    bool crowded() const;
    // Throws InputError if n more would need over half of the machine's memory.
    void check_room(std::int64_t n) const;
    std::uint64_t* words(int number) { return histograms_[static_cast<std::size_t>(number)].get(); }

  private:
    static constexpr std::int64_t kMostWords = std::int64_t{1} << 25; // 256 MiB

    std::int64_t n_words_ = 0;
    std::vector<std::unique_ptr<std::uint64_t[]>> histograms_;
    std::vector<int> free_;
};

} // namespace ceiba
