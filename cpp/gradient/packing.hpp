// Integer representation of gradients, hessians and counts, per row and per bin: the meaning of the
// planes of a histogram.
//
// All three are integers, so that sums do not depend on the order of addition. There are three
// forms; the first suitable one is used:
//
//   single   one word for a row and one for a bin (one plane), wide enough for the sum of all rows
//            | gradient (signed) | hessian | count |      no hessian field where it is constant
//   packed   one word for a row; a block of at most 4,096 rows is summed in words and then flushed
//            to the two planes of `wide`
//            | gradient 27 bits (signed) | hessian 24 | count 13 |
//   wide     a pair of words for a row and for a bin (two planes)
//            | gradient (signed) |   | hessian | count |
//
// A tree for several outputs (vector leaves) sums the gradients of all of them. Its first output is
// wide, and each other one adds to a row and to a bin
//
//   a gradient      if its hessians are those of the first output: one more plane
//   a pair          if it has its own hessians: two more planes
//
// A fourth form is for statistics of another kind (moments of regressors):
//
//   planes   n words for a row and n planes for the bins; only the code that packs the rows and
//            scans the bins knows what they mean
//
// If a few gradients are far above the others, the gain of a node of small ones is a small
// difference of large squares. With a constant hessian, and gains that do not change when a
// constant is added to all gradients, the wide form is then *centered*: its gradients use the whole
// word, and scans subtract the center of the node from every row before anything is rounded to a
// double.
//
// The gradient has the highest bits and is signed. The fields below it are never negative, so a
// shift recovers it exactly. The precision (units) depends only on the multiset of rows, where an
// integer weight is a number of copies; the form may depend on the weights themselves, but it never
// changes a unit.
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

// The words of one bin, or of one row in the layout of a bin: a single word (rest 0), or a pair.
struct Pair {
    std::uint64_t first; // the single word; or the gradient, two's complement
    std::uint64_t rest;  // hessian and count of a pair

    void add(const Pair& other) {
        first += other.first;
        rest += other.rest;
    }
};

enum class Form { single, packed, wide, planes };

// The outputs of a tree.
struct Outputs {
    int n = 1;
    bool own_hessians = false; // each output has its own; otherwise all use those of the first

    int n_planes_more() const { return own_hessians ? 2 : 1; }
    // The plane of the gradients of an output, and that of its hessians and counts.
    int gradient_plane(int output) const {
        return output == 0 ? 0 : 2 + (output - 1) * n_planes_more();
    }
    int rest_plane(int output) const { return own_hessians ? gradient_plane(output) + 1 : 1; }
};

struct Packing {
    Form form = Form::single;
    bool constant_hessian = false;
    int count_bits = 0, hessian_bits = 0; // of a single word, or of the second word of a pair
    double gradient_unit = 1, hessian_unit = 1;
    std::int64_t block_rows = 0; // packed only: rows whose weights sum to at most 4,096
    int n_words = 0;             // planes only: per row, and so per bin
    bool centered = false;       // gains are those of differences from the center of their node
    Outputs outputs;             // outputs that share the tree; units are those of one of them

    bool bins_are_pairs() const { return form == Form::packed || form == Form::wide; }
    // The number of planes of a histogram.
    int n_planes() const {
        if (form == Form::planes) return n_words;
        return bins_are_pairs() ? 2 + (outputs.n - 1) * outputs.n_planes_more() : 1;
    }
};

// The center of a node: the mean of its gradients, cut to whole units; 0 where sums are not centered.
static inline std::int64_t center_of(const Sums& node, const Packing& packing) {
    return packing.centered && node.count > 0 ? node.gradient / node.count : 0;
}

// A sum of gradients in real units, measured from the center of its node.
static inline double real_gradient(const Sums& sums, const Packing& packing, std::int64_t center) {
    return static_cast<double>(sums.gradient - center * sums.count) * packing.gradient_unit;
}

// The fixed fields of a packed word.
inline constexpr int kPackedCountBits = 13, kPackedHessianBits = 24;
inline constexpr std::int64_t kPackedRows = 4096;

static inline std::uint64_t low_bits(int n) {
    return (std::uint64_t{1} << n) - 1;
}

// Logical shift, then the sign: a form that compilers vectorize.
static inline std::int64_t shift_signed(std::uint64_t word, int bits) {
    const std::uint64_t sign = std::uint64_t{1} << (63 - bits);
    return static_cast<std::int64_t>(((word >> bits) ^ sign) - sign);
}

static inline Sums unpack(const Pair& words, const Packing& packing) {
    const bool pair = packing.bins_are_pairs();
    const std::uint64_t low = pair ? words.rest : words.first;
    Sums sums;
    sums.count = static_cast<std::int64_t>(low & low_bits(packing.count_bits));
    const std::uint64_t hessian = low >> packing.count_bits;
    sums.hessian =
        packing.constant_hessian
            ? sums.count
            : static_cast<std::int64_t>(pair ? hessian : hessian & low_bits(packing.hessian_bits));
    sums.gradient = pair ? static_cast<std::int64_t>(words.first)
                         : shift_signed(words.first, packing.count_bits + packing.hessian_bits);
    return sums;
}

// Convert a packed word, or the sum of a block of them, to a pair whose count has `count_bits`.
static inline Pair spread(std::uint64_t word, int count_bits) {
    const std::uint64_t hessian = (word >> kPackedCountBits) & low_bits(kPackedHessianBits);
    return {static_cast<std::uint64_t>(shift_signed(word, kPackedCountBits + kPackedHessianBits)),
            (hessian << count_bits) + (word & low_bits(kPackedCountBits))};
}

} // namespace ceiba
