// Memory for one value per row: not initialised, and on huge pages where it is large.
//
// Rows of a node are read in jumps over the whole table. With pages of 4 kB most jumps also miss
// the table of page addresses; asking the system for huge pages made sums over a tenth of a million
// rows a third faster.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>
#include <sys/mman.h>
#include <type_traits>

namespace ceiba {

template <class T>
class Buffer {
    static_assert(std::is_trivially_copyable_v<T>);

  public:
    Buffer() = default;
    explicit Buffer(std::size_t n) { need(n); }

    // At least n places. Growing loses the content.
    void need(std::size_t n) {
        if (n <= size_) return;
        memory_.reset();
        size_ = 0;
        constexpr std::size_t kHuge = std::size_t{1} << 21;
        const std::size_t bytes = n * sizeof(T);
        const bool huge = bytes >= 2 * kHuge;
        void* memory = nullptr;
        if (posix_memalign(&memory, huge ? kHuge : 64, bytes) != 0) throw std::bad_alloc();
#if defined(MADV_HUGEPAGE)
        // A wish: without it all is the same but slower. Not for the end, where a huge page would
        // be mostly waste.
        if (huge) madvise(memory, bytes / kHuge * kHuge, MADV_HUGEPAGE);
#endif
        memory_.reset(static_cast<T*>(memory));
        size_ = n;
    }
    void release() {
        memory_.reset();
        size_ = 0;
    }

    std::size_t size() const { return size_; }
    T* data() { return memory_.get(); }
    const T* data() const { return memory_.get(); }
    T& operator[](std::size_t i) { return memory_.get()[i]; }
    const T& operator[](std::size_t i) const { return memory_.get()[i]; }

  private:
    struct Free {
        void operator()(T* memory) const { std::free(memory); }
    };
    std::unique_ptr<T, Free> memory_;
    std::size_t size_ = 0;
};

} // namespace ceiba
