// Everything that differs between operating systems: memory pages, fork handlers, cores, clock,
// main thread.
//
// `system_posix.cpp` implements it for Linux and other POSIX systems. A port adds a file beside it.
// No other file includes a system header. What differs between processors is in `cpu.hpp`, between
// compilers in CMakeLists.txt.
#pragma once

#include <chrono>
#include <cstddef>

namespace ceiba {

// ---- memory
// Zeroed pages of at least `bytes` bytes, aligned to a page or to `alignment` (a power of two) if
// that is larger. Throws std::bad_alloc.
void* map_pages(std::size_t bytes, std::size_t alignment = 0);
void unmap_pages(void* memory, std::size_t bytes); // memory of map_pages, with the same size
// Request huge pages. No effect on a system without them.
void advise_huge_pages(void* memory, std::size_t bytes);
std::size_t page_size();
double physical_memory(); // in bytes; infinite if the system does not report it

// ---- processes and threads
// Register handlers of fork(): `before` and `in_parent` run in the parent, `in_child` in the child,
// each in the forking thread. Null registers nothing. Call it in the initializer of a static
// variable, so that the handlers exist before the first fork. Returns false if it fails or the
// system has no fork.
bool on_fork(void (*before)(), void (*in_parent)(), void (*in_child)());
int available_cores(); // allowed by affinity mask and cgroup quota, at least 1
bool on_main_thread(); // after fork(), the thread that forked is the main thread of the child
[[noreturn]] void sleep_until_exit();

// Monotonic time. Cheap to read (about 5 ns) at a resolution of a few milliseconds.
std::chrono::nanoseconds coarse_time();

// Tell the processor that this loop waits for another thread.
inline void spin_pause() {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    asm volatile("yield");
#endif
}

} // namespace ceiba
