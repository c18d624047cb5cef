// Large memory straight from the system, so that giving it back gives it back to the system: what
// malloc keeps in the heap of a worker thread no other thread can use.
//
// Rows of a node are read in jumps over the whole table. With pages of 4 kB most jumps also miss
// the table of page addresses; asking the system for huge pages made sums over a tenth of a million
// rows a third faster.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <new>
#include <sys/mman.h>
#include <vector>

namespace ceiba {

constexpr std::size_t kHugePage = std::size_t{1} << 21;
constexpr std::size_t kFewestPagedBytes = std::size_t{1} << 16; // less comes from malloc

// Not initialised where it comes from malloc. Aligned to 64 bytes, large memory to a huge page.
inline void* take_pages(std::size_t bytes) {
    if (bytes < kFewestPagedBytes) {
        void* memory = nullptr;
        if (posix_memalign(&memory, 64, bytes) != 0) throw std::bad_alloc();
        return memory;
    }
    const bool huge = bytes >= 2 * kHugePage;
    const std::size_t asked = huge ? bytes + kHugePage : bytes;
    void* const all =
        mmap(nullptr, asked, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (all == MAP_FAILED) throw std::bad_alloc();
    if (!huge) return all;
    constexpr std::size_t kPage = 4096;
    const auto from = reinterpret_cast<std::uintptr_t>(all);
    const std::uintptr_t begin = (from + kHugePage - 1) / kHugePage * kHugePage,
                         end = (begin + bytes + kPage - 1) / kPage * kPage,
                         all_end = (from + asked + kPage - 1) / kPage * kPage;
    if (begin > from) munmap(all, begin - from);
    if (all_end > end) munmap(reinterpret_cast<void*>(end), all_end - end);
    void* const memory = reinterpret_cast<void*>(begin);
#if defined(MADV_HUGEPAGE)
    // A wish: without it all is the same but slower. Not for the end, where a huge page would be
    // mostly waste.
    madvise(memory, bytes / kHugePage * kHugePage, MADV_HUGEPAGE);
#endif
    return memory;
}

inline void give_back_pages(void* memory, std::size_t bytes) {
    if (bytes < kFewestPagedBytes)
        std::free(memory);
    else
        munmap(memory, bytes);
}

// For vectors that may become large on a worker thread.
template <class T>
struct PageAllocator {
    using value_type = T;

    PageAllocator() = default;
    template <class Other>
    PageAllocator(const PageAllocator<Other>&) {}

    T* allocate(std::size_t n) { return static_cast<T*>(take_pages(n * sizeof(T))); }
    void deallocate(T* memory, std::size_t n) { give_back_pages(memory, n * sizeof(T)); }
    friend bool operator==(PageAllocator, PageAllocator) { return true; }
};

template <class T>
using PagedVector = std::vector<T, PageAllocator<T>>;

} // namespace ceiba
