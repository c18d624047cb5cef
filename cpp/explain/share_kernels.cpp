#include "explain/share_kernels.hpp"

#include "base/cpu.hpp"

namespace ceiba {

const ShareKernels& share_kernels() {
#if defined(__x86_64__)
    if (use_avx2()) return avx2::kShareKernels;
#endif
    return baseline::kShareKernels;
}

} // namespace ceiba
