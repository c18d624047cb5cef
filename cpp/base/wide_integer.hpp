// 128-bit integers, for exact products and sums of 64-bit integers. A compiler without __int128
// needs its own definition here.
#pragma once

#include <array>
#include <cstdint>

namespace ceiba {

__extension__ typedef __int128 WideInt;
__extension__ typedef unsigned __int128 WideUint;

// A 128-bit integer in parts of 32 bits, which can be added 2^31 times in 64 bits each; the last has
// the sign.
using Limbs = std::array<std::int64_t, 4>;

inline Limbs limbs_of(WideInt value) {
    Limbs limbs{};
    for (std::size_t i = 0; i < 3; ++i) {
        limbs[i] = static_cast<std::int64_t>(static_cast<std::uint64_t>(value) & 0xFFFFFFFFU);
        value >>= 32; // arithmetic
    }
    limbs[3] = static_cast<std::int64_t>(value);
    return limbs;
}

inline WideInt wide_of(const Limbs& limbs) {
    WideInt value = 0;
    for (std::size_t i = 4; i-- > 0;) value = value * (WideInt{1} << 32) + limbs[i];
    return value;
}

} // namespace ceiba
