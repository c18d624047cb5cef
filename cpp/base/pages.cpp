#include "base/pages.hpp"

#include "base/system.hpp"

#include <new>

namespace ceiba {

namespace {

constexpr std::size_t kHugePage = std::size_t{1} << 21;
constexpr std::size_t kFewestMappedBytes = std::size_t{1} << 16; // smaller: from the heap
constexpr std::align_val_t kHeapAlignment{64};

} // namespace

void* take_pages(std::size_t bytes) {
    if (bytes < kFewestMappedBytes) return ::operator new(bytes, kHeapAlignment);
    if (bytes < 2 * kHugePage) return map_pages(bytes);
    void* const memory = map_pages(bytes, kHugePage);
    // The remainder gets small pages: it would leave most of a huge page unused.
    advise_huge_pages(memory, bytes / kHugePage * kHugePage);
    return memory;
}

void give_back_pages(void* memory, std::size_t bytes) {
    if (bytes < kFewestMappedBytes)
        ::operator delete(memory, kHeapAlignment);
    else
        unmap_pages(memory, bytes);
}

} // namespace ceiba
