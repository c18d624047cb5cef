// Uninitialized per-row buffer, backed by huge pages when large.
#pragma once

#include "base/pages.hpp"

#include <cstdint>
#include <type_traits>
#include <utility>

namespace ceiba {

template <class T>
class Buffer {
    static_assert(std::is_trivially_copyable_v<T>);

  public:
    Buffer() = default;
    explicit Buffer(std::size_t n) { need(n); }
    Buffer(Buffer&& other) noexcept
        : memory_(std::exchange(other.memory_, nullptr)), size_(std::exchange(other.size_, 0)) {}
    Buffer& operator=(Buffer&& other) noexcept {
        std::swap(memory_, other.memory_);
        std::swap(size_, other.size_);
        return *this;
    }
    ~Buffer() { release(); }

    // Make room for at least n elements. Growing discards the content.
    void need(std::size_t n) {
        if (n <= size_) return;
        release();
        memory_ = static_cast<T*>(take_pages(n * sizeof(T)));
        size_ = n;
    }
    void release() {
        if (memory_ != nullptr) give_back_pages(memory_, size_ * sizeof(T));
        memory_ = nullptr;
        size_ = 0;
    }

    std::size_t size() const { return size_; }
    T* data() { return memory_; }
    const T* data() const { return memory_; }
    T& operator[](std::size_t i) { return memory_[i]; }
    const T& operator[](std::size_t i) const { return memory_[i]; }

  private:
    T* memory_ = nullptr;
    std::size_t size_ = 0;
};

} // namespace ceiba
