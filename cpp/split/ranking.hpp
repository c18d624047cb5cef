// What ranks candidates where it is not their gain alone: the cosine, and noise.
//
// Cosine. With the constants v of all leaves of a level, gradients g and weights w of rows (their
// hessians), -sum(v g) / sqrt(sum(v^2 w)) is, but for a factor that all candidates share, the cosine
// of the angle between what the leaves add and the negative gradients. A node that a candidate does
// not divide counts as the leaf that it is. Without symmetric growth a level is one node.
//
// Noise. Every threshold of a column gets a normal number times sigma, and the column takes the one
// that is largest with it; then every column gets another one, by which the columns are compared, so
// that a column of many thresholds has no advantage. A column of levels has the second one alone.
// Numbers are a hash of (seed, round, tree, node or first node of the level, column, threshold).
//
// Both say which candidate is taken, and never what it is worth: a split is made and recorded by its
// gain (split/gain.hpp). Only a level of a symmetric tree that the cosine ranks needs none, as long as
// there are gradients; with penalties the best of a poor level may lose a little.
#pragma once

#include "base/hash.hpp"
#include "base/math.hpp"
#include "split/gain.hpp"

#include <bit>
#include <cmath>
#include <cstdint>

namespace ceiba {

struct CosineTerms {
    double top = 0, below = 0;
};

// Of the rows of a leaf with the constant `step`.
static inline CosineTerms cosine_terms(double gradient, double hessian, double step) {
    return {-(step * gradient), step * step * hessian};
}

static inline double cosine(double top, double below) {
    return below > 0 ? top / std::sqrt(below) : 0.0;
}

// The normal number whose distribution function is u, 0 < u < 1, to about seven digits (the two
// polynomials of Giles, "Approximating the erfinv function", 2010). Without a branch.
CEIBA_MATH_INLINE double normal_at(double u) {
    const double x = 2 * u - 1, w = -math::log(4 * u * (1 - u));
    const double a = w - 2.5, b = std::sqrt(w > 0 ? w : 0.0) - 3;
    double near = 2.81022636e-08, far = -0.000200214257;
    near = 3.43273939e-07 + near * a;
    near = -3.5233877e-06 + near * a;
    near = -4.39150654e-06 + near * a;
    near = 0.00021858087 + near * a;
    near = -0.00125372503 + near * a;
    near = -0.00417768164 + near * a;
    near = 0.246640727 + near * a;
    near = 1.50140941 + near * a;
    far = 0.000100950558 + far * b;
    far = 0.00134934322 + far * b;
    far = -0.00367342844 + far * b;
    far = 0.00573950773 + far * b;
    far = -0.0076224613 + far * b;
    far = 0.00943887047 + far * b;
    far = 1.00167406 + far * b;
    far = 2.83297682 + far * b;
    return 0x1.6a09e667f3bcdp+0 * ((w < 5 ? near : far) * x);
}

// Candidates count in steps of an odd number, as in splitmix64: one mix each is enough.
CEIBA_MATH_INLINE double normal_number(std::uint64_t key, std::uint64_t place) {
    std::uint64_t x = key + place * 0x9E3779B97F4A7C15ULL;
    x += 0x9E3779B97F4A7C15ULL; // mix64, for a loop that is compiled twice
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ULL;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBULL;
    x ^= x >> 31;
    // 52 bits as a number between 0 and 1, never either.
    return normal_at(std::bit_cast<double>((x >> 12) | 0x3ff0000000000000u) - 1.0 + 0x1p-53);
}

// What a tree knows of its noise.
struct Noise {
    double sigma = 0;
    std::uint64_t key = 0; // of the tree

    // Of a column of a node, or of the level that begins with it.
    std::uint64_t of(int node, int column) const {
        return hash64(key, 4, static_cast<std::uint64_t>(node), static_cast<std::uint64_t>(column));
    }
};

} // namespace ceiba
