// How the statistics of a row, and of a bin, are held in integers.
//
// A row has a gradient, a hessian and a count. All three become integers, so that sums of them do
// not depend on the order of addition. Three forms; the first that fits is taken:
//
//   single   one word for a row and one for a bin, wide enough for the sum of all rows
//            | gradient (signed) | hessian | count |          no hessian field where the hessian is
//            constant
//   packed   one word for a row; a block of at most 4,096 rows is summed in words and then flushed
//   to pairs
//            | gradient 27 bits (signed) | hessian 24 | count 13 |
//   wide     a pair of words for a row and for a bin
//            | gradient (signed) |   | hessian | count |
//
// The gradient stands on top and is signed: the fields below it are never negative, so a shift
// recovers it exactly. The precision (units) depends only on the multiset of rows with integer
// weights as repeats; the form may depend on the weights themselves, but a form never changes a
// unit.
#pragma once

#include <cstdint>

namespace ceiba {

// Sums of rows in units of the round. With a constant hessian `hessian` is the count.
struct Sums {
    std::int64_t gradient = 0, hessian = 0, count = 0;

    Sums& operator+=(const Sums& other) {
        gradient += other.gradient;
        hessian += other.hessian;
        count += other.count;
        return *this;
    }
    friend Sums operator-(Sums a, const Sums& b) {
        a.gradient -= b.gradient;
        a.hessian -= b.hessian;
        a.count -= b.count;
        return a;
    }
};

struct Pair {
    std::uint64_t gradient; // two's complement
    std::uint64_t rest;     // hessian and count
};

enum class Form { single, packed, wide };

struct Packing {
    Form form = Form::single;
    bool constant_hessian = false;
    int count_bits = 0, hessian_bits = 0; // of a single word, or of the second word of a pair
    double gradient_unit = 1, hessian_unit = 1;
    std::int64_t block_rows = 0; // packed only: rows whose weights sum to at most 4,096

    bool bins_are_pairs() const { return form != Form::single; }
};

// The fixed fields of a packed word.
inline constexpr int kPackedCountBits = 13, kPackedHessianBits = 24;
inline constexpr std::int64_t kPackedRows = 4096;

static inline std::uint64_t low_bits(int n) {
    return (std::uint64_t{1} << n) - 1;
}

// Logical shift, then the sign: the form that compilers can turn into vector code.
static inline std::int64_t shift_signed(std::uint64_t word, int bits) {
    const std::uint64_t sign = std::uint64_t{1} << (63 - bits);
    return static_cast<std::int64_t>(((word >> bits) ^ sign) - sign);
}

static inline Sums unpack(std::uint64_t word, const Packing& packing) {
    Sums sums;
    sums.count = static_cast<std::int64_t>(word & low_bits(packing.count_bits));
    sums.hessian = packing.constant_hessian
                       ? sums.count
                       : static_cast<std::int64_t>((word >> packing.count_bits) &
                                                   low_bits(packing.hessian_bits));
    sums.gradient = shift_signed(word, packing.count_bits + packing.hessian_bits);
    return sums;
}

static inline Sums unpack(const Pair& pair, const Packing& packing) {
    Sums sums;
    sums.count = static_cast<std::int64_t>(pair.rest & low_bits(packing.count_bits));
    sums.hessian = packing.constant_hessian
                       ? sums.count
                       : static_cast<std::int64_t>(pair.rest >> packing.count_bits);
    sums.gradient = static_cast<std::int64_t>(pair.gradient);
    return sums;
}

} // namespace ceiba
