// Own exp, log and log1p, accurate to about one unit in the last place (measured: exp 1.06, log
// 0.82).
//
// The standard library's functions may give other bits in a vectorized loop than in its remainder,
// or on another machine. These use only IEEE additions, multiplications and divisions, without
// branches. So compilers vectorize them, and every way of compiling them gives the same bits (with
// -ffp-contract=off, which CMakeLists.txt sets).
//
// All are always_inline with internal linkage: a file compiled for AVX2 must not emit a copy that
// the linker could use in baseline code.
#pragma once

#include <bit>
#include <cstdint>
#include <limits>

#define CEIBA_MATH_INLINE [[gnu::always_inline]] static inline

namespace ceiba::math {

// ln 2 in two parts. The first has few enough bits that its product with an exponent is exact.
constexpr double kLn2High = 0x1.62e42fefa38p-1;
constexpr double kLn2Low = 0x1.ef35793c7673p-45;
constexpr double kInverseLn2 = 0x1.71547652b82fep+0;

// Adding this constant to a double leaves its nearest integer in the low bits of the sum.
constexpr double kRoundingShift = 0x1.8p52;

CEIBA_MATH_INLINE double exp(double x) {
    // Outside this range the result is 0 or infinite. A NaN fails both comparisons and passes
    // through.
    x = x < -750.0 ? -750.0 : x;
    x = x > 710.0 ? 710.0 : x;

    // x = k ln 2 + r with |r| <= ln 2 / 2.
    const double shifted = x * kInverseLn2 + kRoundingShift;
    const double k = shifted - kRoundingShift;
    const double r = (x - k * kLn2High) - k * kLn2Low;

    // exp(r) = 1 + r + r² p(r); p interpolates at Chebyshev nodes. Evaluated in pairs for low
    // latency.
    const double r2 = r * r;
    const double r4 = r2 * r2;
    const double p01 = 0x1.0000000000001p-1 + r * 0x1.5555555555556p-3;
    const double p23 = 0x1.5555555553d2bp-5 + r * 0x1.11111111109a2p-7;
    const double p45 = 0x1.6c16c178a18c1p-10 + r * 0x1.a01a01a7d176dp-13;
    const double p67 = 0x1.a019b8b8f8697p-16 + r * 0x1.71de0d7a972efp-19;
    const double p89 = 0x1.2891e963ab1f9p-22 + r * 0x1.af3924be99a57p-26;
    const double p = (p01 + r2 * p23) + r4 * ((p45 + r2 * p67) + r4 * p89);
    const double value = 1.0 + (r + r2 * p);

    // Times 2^k in two factors, so that subnormal and very large results round once and correctly.
    const std::uint64_t n = std::bit_cast<std::uint64_t>(shifted) -
                            std::bit_cast<std::uint64_t>(kRoundingShift) + 2048u;
    const std::uint64_t half = n >> 1;
    const double scale_1 = std::bit_cast<double>((half - 1u) << 52);
    const double scale_2 = std::bit_cast<double>((n - half - 1u) << 52);
    return (value * scale_1) * scale_2;
}

CEIBA_MATH_INLINE double log(double x) {
    const double enlarged = x * 0x1p54;
    const bool subnormal = x < std::numeric_limits<double>::min();
    const double normal = subnormal ? enlarged : x;

    // x = 2^k m with sqrt(1/2) <= m < sqrt(2).
    constexpr std::uint64_t one = 0x3ff0000000000000u;
    constexpr std::uint64_t root_half = 0x3fe6a09e667f3bcdu;
    const std::uint64_t shifted = std::bit_cast<std::uint64_t>(normal) + (one - root_half);
    const double exponent = std::bit_cast<double>((shifted >> 52) | 0x4330000000000000u);
    const double k = exponent - (0x1p52 + 1023.0) - (subnormal ? 54.0 : 0.0);
    const double m = std::bit_cast<double>((shifted & 0x000fffffffffffffu) + root_half);

    // log(1 + f) = 2s + s³ q(s²) with s = f / (2 + f), arranged so that f is added last.
    const double f = m - 1.0;
    const double s = f / (2.0 + f);
    const double z = s * s;
    const double z2 = z * z;
    const double q01 = 0x1.5555555555558p-1 + z * 0x1.99999999952b2p-2;
    const double q23 = 0x1.2492492df6947p-2 + z * 0x1.c71c62debf86bp-3;
    const double q45 = 0x1.7462b69705382p-3 + z * 0x1.39fe208c33457p-3;
    const double q = (q01 + z2 * q23) + (z2 * z2) * (q45 + z2 * 0x1.2b5b5fb2eac92p-3);
    const double half_square = 0.5 * f * f;
    const double small = s * (half_square + z * q) + k * kLn2Low;
    const double value = k * kLn2High - ((half_square - small) - f);

    constexpr double infinity = std::numeric_limits<double>::infinity();
    constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
    const double at_or_below_zero = x == 0.0 ? -infinity : not_a_number;
    const double positive = x > std::numeric_limits<double>::max() ? infinity : value;
    return x > 0.0 ? positive : at_or_below_zero;
}

// log(1 + x) for x > -1, with full relative precision where 1 + x rounds to 1.
CEIBA_MATH_INLINE double log1p(double x) {
    const double u = 1.0 + x;
    return log(u) + (x - (u - 1.0)) / u;
}

CEIBA_MATH_INLINE double absolute(double x) {
    return std::bit_cast<double>(std::bit_cast<std::uint64_t>(x) & 0x7fffffffffffffffu);
}

} // namespace ceiba::math
