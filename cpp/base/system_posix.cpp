#include "base/system.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <new>
#include <pthread.h>
#include <sys/mman.h>
#include <thread>
#include <time.h>
#include <unistd.h>

#if defined(__linux__)
#include <sched.h>
#include <sys/syscall.h>
#endif

namespace ceiba {

namespace {

std::size_t rounded_up(std::size_t n, std::size_t unit) {
    return (n + unit - 1) / unit * unit;
}

enum class MainThread : signed char { unknown, no, yes };
thread_local MainThread main_thread = MainThread::unknown;

[[maybe_unused]] const bool main_thread_handler =
    on_fork(nullptr, nullptr, [] { main_thread = MainThread::yes; });

bool starts_process() {
#if defined(__linux__)
    return ::syscall(SYS_gettid) == ::getpid();
#else
    return pthread_main_np() != 0;
#endif
}

// The CPU quota of the cgroup in cores, or 0 without one.
int cgroup_quota() {
    // cgroup v2: "max 100000" or "150000 100000". v1 has a file for each of the two numbers.
    double quota = -1, period = 0;
    if (std::FILE* file = std::fopen("/sys/fs/cgroup/cpu.max", "r")) {
        if (std::fscanf(file, "%lf %lf", &quota, &period) != 2) quota = -1;
        std::fclose(file);
    } else {
        auto read = [](const char* path, double& value) {
            if (std::FILE* f = std::fopen(path, "r")) {
                if (std::fscanf(f, "%lf", &value) != 1) value = -1;
                std::fclose(f);
            }
        };
        read("/sys/fs/cgroup/cpu/cpu.cfs_quota_us", quota);
        read("/sys/fs/cgroup/cpu/cpu.cfs_period_us", period);
    }
    if (quota <= 0 || period <= 0) return 0;
    return std::max(1, static_cast<int>(std::ceil(quota / period)));
}

} // namespace

void* map_pages(std::size_t bytes, std::size_t alignment) {
    const std::size_t page = page_size(), padding = alignment > page ? alignment : 0,
                      mapped = rounded_up(bytes, page) + padding;
    void* const all =
        mmap(nullptr, mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (all == MAP_FAILED) throw std::bad_alloc();
    if (padding == 0) return all;
    const auto from = reinterpret_cast<std::uintptr_t>(all);
    const std::uintptr_t begin = rounded_up(from, alignment), end = begin + rounded_up(bytes, page);
    if (begin > from) munmap(all, begin - from);
    if (from + mapped > end) munmap(reinterpret_cast<void*>(end), from + mapped - end);
    return reinterpret_cast<void*>(begin);
}

void unmap_pages(void* memory, std::size_t bytes) {
    munmap(memory, bytes);
}

void advise_huge_pages([[maybe_unused]] void* memory, [[maybe_unused]] std::size_t bytes) {
#if defined(MADV_HUGEPAGE)
    madvise(memory, bytes, MADV_HUGEPAGE);
#endif
}

std::size_t page_size() {
    static const auto size = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    return size;
}

double physical_memory() {
    const long pages = sysconf(_SC_PHYS_PAGES);
    if (pages <= 0) return std::numeric_limits<double>::infinity();
    return static_cast<double>(pages) * static_cast<double>(page_size());
}

bool on_fork(void (*before)(), void (*in_parent)(), void (*in_child)()) {
    return pthread_atfork(before, in_parent, in_child) == 0;
}

int available_cores() {
    int n = static_cast<int>(std::thread::hardware_concurrency());
#if defined(__linux__)
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof(set), &set) == 0) n = CPU_COUNT(&set);
#endif
    const int quota = cgroup_quota();
    if (quota > 0) n = std::min(n, quota);
    return std::max(1, n);
}

bool on_main_thread() {
    if (main_thread == MainThread::unknown)
        main_thread = starts_process() ? MainThread::yes : MainThread::no;
    return main_thread == MainThread::yes;
}

void sleep_until_exit() {
    for (;;) ::pause();
}

std::chrono::nanoseconds coarse_time() {
#if defined(CLOCK_MONOTONIC_COARSE)
    timespec time{};
    clock_gettime(CLOCK_MONOTONIC_COARSE, &time);
    return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
#else
    return std::chrono::steady_clock::now().time_since_epoch();
#endif
}

} // namespace ceiba
