#include "base/cpu.hpp"

#include <atomic>
#include <cstdlib>
#include <cstring>

namespace ceiba {

bool cpu_has_avx2() {
#if defined(__x86_64__) && defined(__GNUC__)
    static const bool has = __builtin_cpu_supports("avx2");
    return has;
#else
    return false;
#endif
}

namespace {

std::atomic<bool>& avx2_switch() {
    static std::atomic<bool> on = [] {
        const char* wish = std::getenv("CEIBA_AVX2");
        return cpu_has_avx2() && !(wish != nullptr && std::strcmp(wish, "0") == 0);
    }();
    return on;
}

} // namespace

bool use_avx2() {
    return avx2_switch().load(std::memory_order_relaxed);
}

void set_avx2(bool on) {
    avx2_switch().store(on && cpu_has_avx2(), std::memory_order_relaxed);
}

} // namespace ceiba
