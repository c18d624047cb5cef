// Large allocations directly from the operating system, so that freed memory returns to it. Memory
// that malloc keeps in the heap of a worker thread could not be used by other threads.
//
// Rows of a node are read with large strides over the whole table. With pages of 4 kB most of these
// reads also miss the TLB. Huge pages made sums over 10 % of a million rows a third faster.
#pragma once

#include <cstddef>
#include <vector>

namespace ceiba {

// Uninitialized memory, aligned to 64 bytes, or to a huge page from 4 MB on. Throws std::bad_alloc.
void* take_pages(std::size_t bytes);
void give_back_pages(void* memory, std::size_t bytes); // with the size of the allocation

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
