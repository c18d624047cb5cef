// Collect the rows that a rule takes, in increasing order.
//
// A first pass marks the rows in a bit set and counts them per chunk. Then every thread knows where
// its rows begin in the result and writes them.
#pragma once

#include "base/settings.hpp"
#include "parallel/pool.hpp"
#include "sample/rows.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

namespace ceiba {

class MarkedRows {
  public:
    // takes(i): whether to take the i-th of n.
    template <class Takes>
    MarkedRows(std::int64_t n, int n_threads, Takes takes)
        : n_threads_(useful_threads(n_threads, n)),
          words_of_chunk_(std::max<std::int64_t>(1, settings().chunk_rows / 64)),
          words_(static_cast<std::size_t>((n + 63) / 64)) {
        const auto n_words = std::ssize(words_);
        begins_.assign(
            static_cast<std::size_t>((n_words + words_of_chunk_ - 1) / words_of_chunk_) + 1, 0);
        parallel_for(n_threads_, std::ssize(begins_) - 1, [&](std::int64_t chunk) {
            std::int64_t count = 0;
            for (std::int64_t w = first_word(chunk); w < first_word(chunk + 1); ++w) {
                const std::int64_t first = 64 * w, size = std::min<std::int64_t>(64, n - first);
                std::uint64_t word = 0;
                for (std::int64_t b = 0; b < size; ++b)
                    word |= static_cast<std::uint64_t>(takes(first + b)) << b;
                words_[static_cast<std::size_t>(w)] = word;
                count += std::popcount(word);
            }
            begins_[static_cast<std::size_t>(chunk) + 1] = count;
        });
        for (std::size_t c = 1; c < begins_.size(); ++c) begins_[c] += begins_[c - 1];
    }

    std::size_t size() const { return static_cast<std::size_t>(begins_.back()); }

    // Call write(place, i) for each taken one; places count from 0.
    template <class Write>
    void write(Write write) const {
        parallel_for(n_threads_, std::ssize(begins_) - 1, [&](std::int64_t chunk) {
            auto place = static_cast<std::size_t>(begins_[static_cast<std::size_t>(chunk)]);
            for (std::int64_t w = first_word(chunk); w < first_word(chunk + 1); ++w)
                for (std::uint64_t left = words_[static_cast<std::size_t>(w)]; left != 0;
                     left &= left - 1)
                    write(place++, 64 * w + std::countr_zero(left));
        });
    }

  private:
    std::int64_t first_word(std::int64_t chunk) const {
        return std::min<std::int64_t>(chunk * words_of_chunk_, std::ssize(words_));
    }

    int n_threads_;
    std::int64_t words_of_chunk_;
    std::vector<std::uint64_t> words_;
    std::vector<std::int64_t> begins_; // by chunk, then the end
};

// row_of(i): the row number of the i-th candidate.
template <class Takes, class RowOf>
std::vector<std::int32_t> collect_rows(std::int64_t n, int n_threads, Takes takes, RowOf row_of) {
    const MarkedRows marked(n, n_threads, takes);
    std::vector<std::int32_t> rows(marked.size());
    marked.write([&](std::size_t place, std::int64_t i) { rows[place] = row_of(i); });
    return rows;
}

// multiplier_of(row): the multiplier of a taken row.
template <class Takes, class MultiplierOf>
SampledRows collect_multiplied(std::int64_t n_rows, int n_threads, Takes takes,
                               MultiplierOf multiplier_of) {
    const MarkedRows marked(n_rows, n_threads, takes);
    SampledRows sample{std::vector<std::int32_t>(marked.size()),
                       std::vector<double>(marked.size())};
    marked.write([&](std::size_t place, std::int64_t row) {
        sample.rows[place] = static_cast<std::int32_t>(row);
        sample.multipliers[place] = multiplier_of(row);
    });
    return sample;
}

} // namespace ceiba
