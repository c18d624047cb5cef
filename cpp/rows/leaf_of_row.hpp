// For every row, the leaf (its node number) where it ended. One byte a row where the tree is small
// enough, two for almost every other: the rows of a leaf are written all over this memory.
#pragma once

#include "base/buffer.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>

namespace ceiba {

class LeafOfRow {
  public:
    // The number that stands for "the row was not selected".
    template <class Number>
    static constexpr Number none = std::numeric_limits<Number>::max();

    // Room for n_rows rows of a tree of n_nodes; with `clear`, no row is in a leaf yet.
    void start(std::int64_t n_rows, std::int64_t n_nodes, bool clear) {
        width_ = n_nodes < none<std::uint8_t> ? 1 : n_nodes < none<std::uint16_t> ? 2 : 4;
        memory_.need(static_cast<std::size_t>(n_rows * width_));
        if (clear) std::fill_n(memory_.data(), n_rows * width_, std::uint8_t{0xFF});
        if (clear && width_ == 4)
            std::fill_n(reinterpret_cast<std::int32_t*>(memory_.data()), n_rows,
                        none<std::int32_t>);
    }

    // Calls work(numbers) with a pointer to the numbers of the rows, whatever their type.
    template <class Work>
    void with_numbers(Work&& work) {
        if (width_ == 1)
            work(memory_.data());
        else if (width_ == 2)
            work(reinterpret_cast<std::uint16_t*>(memory_.data()));
        else
            work(reinterpret_cast<std::int32_t*>(memory_.data()));
    }
    template <class Work>
    void with_numbers(Work&& work) const {
        const_cast<LeafOfRow*>(this)->with_numbers([&](const auto* numbers) { work(numbers); });
    }

    // -1: the row was not selected. For loops over rows, with_numbers is faster.
    std::int32_t operator[](std::int64_t row) const {
        std::int32_t leaf = -1;
        with_numbers([&]<class Number>(const Number* numbers) {
            if (numbers[row] != none<Number>) leaf = static_cast<std::int32_t>(numbers[row]);
        });
        return leaf;
    }

  private:
    int width_ = 1; // bytes of a number
    Buffer<std::uint8_t> memory_;
};

} // namespace ceiba
