// Vectors whose memory is aligned to 32 bytes, so that four doubles are one aligned load.
#pragma once

#include <cstddef>
#include <new>
#include <vector>

namespace ceiba {

template <class T>
struct AlignedMemory {
    using value_type = T;
    static constexpr std::align_val_t kAlignment{32};

    AlignedMemory() = default;
    template <class U>
    AlignedMemory(const AlignedMemory<U>&) {}

    T* allocate(std::size_t n) {
        return static_cast<T*>(::operator new(n * sizeof(T), kAlignment));
    }
    void deallocate(T* memory, std::size_t) { ::operator delete(memory, kAlignment); }
    template <class U>
    bool operator==(const AlignedMemory<U>&) const {
        return true;
    }
};

template <class T>
using AlignedVector = std::vector<T, AlignedMemory<T>>;

} // namespace ceiba
