// The leaf (node number) of every row. One byte per row if the tree is small enough, two for almost
// every other tree, because the rows of a leaf are scattered over this memory.
#pragma once

#include "base/buffer.hpp"

#include <cstddef>
#include <cstdint>

namespace ceiba {

class LeafOfRow {
  public:
    // Allocate n_rows numbers for a tree of n_nodes.
    void start(std::int64_t n_rows, std::int64_t n_nodes) {
        width_ = n_nodes <= 256 ? 1 : n_nodes <= 65536 ? 2 : 4;
        memory_.need(static_cast<std::size_t>(n_rows * width_));
    }

    // Call work(numbers) with a pointer to the numbers of the rows, in their type.
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

    // For loops over rows, with_numbers is faster.
    std::size_t operator[](std::int64_t row) const {
        std::size_t leaf = 0;
        with_numbers([&](const auto* numbers) { leaf = static_cast<std::size_t>(numbers[row]); });
        return leaf;
    }

  private:
    int width_ = 1; // bytes of a number
    Buffer<std::uint8_t> memory_;
};

} // namespace ceiba
