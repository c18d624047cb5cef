// The weight of a row in candidate thresholds: its hessian, or its count if the hessian is
// constant, in the units of the round. Both include row weights.
#pragma once

#include "gradient/quantize.hpp"

#include <cstdint>

namespace ceiba {

class RowWeights {
  public:
    RowWeights() = default;
    // `counts`: use counts, whatever the hessians.
    RowWeights(const Quantized& quantized, bool counts) {
        const Packing& packing = quantized.packing;
        const bool packed = packing.form == Form::packed;
        const int count_bits = packed ? kPackedCountBits : packing.count_bits,
                  hessian_bits = packed ? kPackedHessianBits : packing.hessian_bits;
        const bool count = counts || packing.constant_hessian;
        shift_ = count ? 0 : count_bits;
        mask_ = low_bits(count ? count_bits : hessian_bits);
        if (packing.form == Form::wide) {
            words_ = &quantized.pairs.data()->rest;
            stride_ = 2;
        } else {
            words_ = quantized.words.data();
        }
    }

    std::uint64_t operator[](std::int64_t row) const {
        return (words_[row * stride_] >> shift_) & mask_;
    }

  private:
    const std::uint64_t* words_ = nullptr;
    std::int64_t stride_ = 1;
    int shift_ = 0;
    std::uint64_t mask_ = 0;
};

} // namespace ceiba
