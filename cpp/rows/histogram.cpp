#include "rows/histogram.hpp"

#include "base/cpu.hpp"
#include "base/errors.hpp"
#include "base/system.hpp"

#include <algorithm>
#include <string>

namespace ceiba {

HistogramLayout::HistogramLayout(const BinMapper& mapper, std::span<const std::vector<int>> groups)
    : offsets(1, 0), place_of(static_cast<std::size_t>(mapper.n_features()), -1), first_of(1, 0) {
    for (const std::vector<int>& columns : groups) {
        for (const int f : columns) {
            place_of[static_cast<std::size_t>(f)] = static_cast<int>(n_codes.size());
            n_codes.push_back(mapper.n_bins(f));
            offsets.push_back(offsets.back() + n_codes.back());
        }
        first_of.push_back(n_codes.size());
    }
}

const HistogramKernels& histogram_kernels() {
    static const HistogramKernels plain{baseline::add_words,    baseline::add_pairs,
                                        baseline::move_words,   baseline::move_pairs,
                                        baseline::flush_packed, baseline::flush_pairs,
                                        baseline::add_bins,     baseline::subtract_bins};
    static const HistogramKernels vector{avx2::add_words,  avx2::add_pairs,    avx2::move_words,
                                         avx2::move_pairs, avx2::flush_packed, avx2::flush_pairs,
                                         avx2::add_bins,   avx2::subtract_bins};
    return use_avx2() ? vector : plain;
}

void HistogramPool::set_size(std::int64_t n_words) {
    // Keep the histograms if columns have slightly fewer bins than in the previous tree.
    if (n_words <= n_words_ && n_words >= n_words_ / 4) return;
    n_words_ = n_words;
    histograms_.clear();
    free_.clear();
}

int HistogramPool::take() {
    if (!free_.empty()) {
        const int number = free_.back();
        free_.pop_back();
        return number;
    }
    histograms_.emplace_back(new std::uint64_t[static_cast<std::size_t>(n_words_)]);
    return static_cast<int>(histograms_.size()) - 1;
}

bool HistogramPool::crowded() const {
    return static_cast<std::int64_t>(histograms_.size() - free_.size()) * n_words_ > kMostWords;
}

void HistogramPool::check_room(std::int64_t n) const {
    const double taken = static_cast<double>(histograms_.size() - free_.size()) +
                         static_cast<double>(n),
                 needed = taken * static_cast<double>(n_words_) * sizeof(std::uint64_t);
    if (needed > physical_memory() / 2)
        throw InputError("Histograms of all nodes of a level would need " +
                         std::to_string(static_cast<std::int64_t>(needed / 1e9)) +
                         " GB, more than half of the memory. Lower max_depth or max_bins, or grow "
                         "leafwise.");
}

void HistogramPool::give_back(int number) {
    if (number >= 0) free_.push_back(number);
}

void HistogramPool::give_all_back() {
    free_.clear();
    for (int i = static_cast<int>(histograms_.size()); i-- > 0;) free_.push_back(i);
}

} // namespace ceiba
