// For every row, the leaf (its node number) where it ended. Two bytes a row where the tree is small
// enough, as almost every tree is: the rows of a leaf are written all over this memory.
#pragma once

#include "base/buffer.hpp"

#include <algorithm>
#include <cstdint>

namespace ceiba {

class LeafOfRow {
  public:
    // Room for n_rows rows of a tree of n_nodes; with `clear`, no row is in a leaf yet.
    void start(std::int64_t n_rows, std::int64_t n_nodes, bool clear) {
        narrow_ = n_nodes < kNone;
        const auto n = static_cast<std::size_t>(n_rows);
        if (narrow_) {
            shorts_.need(n);
            if (clear) std::fill_n(shorts_.data(), n, kNone);
        } else {
            longs_.need(n);
            if (clear) std::fill_n(longs_.data(), n, -1);
        }
    }

    void set(std::int64_t row, int leaf) {
        const auto i = static_cast<std::size_t>(row);
        if (narrow_)
            shorts_[i] = static_cast<std::uint16_t>(leaf);
        else
            longs_[i] = leaf;
    }

    // -1: the row was not selected.
    std::int32_t operator[](std::int64_t row) const {
        const auto i = static_cast<std::size_t>(row);
        if (!narrow_) return longs_[i];
        return shorts_[i] == kNone ? -1 : static_cast<std::int32_t>(shorts_[i]);
    }

  private:
    static constexpr std::uint16_t kNone = 0xFFFF;

    bool narrow_ = true;
    Buffer<std::uint16_t> shorts_;
    Buffer<std::int32_t> longs_;
};

} // namespace ceiba
