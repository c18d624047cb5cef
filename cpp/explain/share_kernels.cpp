#include "explain/share_kernels.hpp"

#include "base/cpu.hpp"

namespace ceiba {

const ShareKernels& share_kernels() {
    return use_avx2() ? avx2::kShareKernels : baseline::kShareKernels;
}

} // namespace ceiba
