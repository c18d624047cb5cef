// The row loops of quantization, compiled for baseline x86-64 and for AVX2 (see base/cpu.hpp).
#pragma once

#include "gradient/packing.hpp"
#include "gradient/quantize.hpp"

#include <cstdint>

namespace ceiba {

// Input and output of packing a range of rows.
struct PackJob {
    const double *gradients, *hessians, *weights; // hessians and weights may be null
    const std::int32_t* rows;                     // null: rows begin..end
    double constant_hessian;
    double gradient_scale, hessian_scale;
    double gradient_limit, hessian_limit;
    bool multiply_before, multiply_after, counted, keep_hessian;
    int count_bits, hessian_bits;
    std::uint64_t* words;
    Pair* pairs;
};

#define CEIBA_DECLARE_QUANTIZE_KERNELS(arch)                                                       \
    namespace arch {                                                                               \
    Extent measure(const PackJob& job, std::int64_t begin, std::int64_t end);                      \
    PackSums pack(const PackJob& job, std::int64_t begin, std::int64_t end);                       \
    }
CEIBA_DECLARE_QUANTIZE_KERNELS(baseline)
CEIBA_DECLARE_QUANTIZE_KERNELS(avx2)
#undef CEIBA_DECLARE_QUANTIZE_KERNELS

} // namespace ceiba
