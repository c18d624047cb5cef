// Random numbers as hashes of a key (seed, round, row …). There is no generator with a state, so
// results do not depend on the order of the calls.
#pragma once

#include <cstdint>

namespace ceiba {

// A full-avalanche mix of 64 bits (the finalizer of splitmix64).
inline std::uint64_t mix64(std::uint64_t x) {
    x += 0x9E3779B97F4A7C15ULL;
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ULL;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBULL;
    return x ^ (x >> 31);
}

inline std::uint64_t hash64(std::uint64_t a, std::uint64_t b = 0, std::uint64_t c = 0,
                            std::uint64_t d = 0) {
    return mix64(mix64(mix64(mix64(a) ^ b) ^ c) ^ d);
}

// The top 53 bits as a double in [0, 1).
inline double to_unit(std::uint64_t hash) {
    return static_cast<double>(hash >> 11) * 0x1.0p-53;
}

} // namespace ceiba
