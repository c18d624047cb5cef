// Everything that differs between operating systems: memory pages, fork handlers, cores, clock, main thread.
//
// `system_posix.cpp` implements it for Linux and other POSIX systems. A port adds a file beside it and includes no system header
// anywhere else. What differs between processors is in `cpu.hpp`, between compilers in CMakeLists.txt.
#pragma once

#include <chrono>
#include <cstddef>

namespace ceiba {

// ---- memory
// Zeroed pages of at least `bytes` bytes, aligned to `alignment` (a power of two) where that is more than a page. Throws
// std::bad_alloc.
void* map_pages(std::size_t bytes, std::size_t alignment = 0);
void unmap_pages(void* memory, std::size_t bytes); // of map_pages, with the same size
// Asks for huge pages. A system that has none ignores it.
void advise_huge_pages(void* memory, std::size_t bytes);
std::size_t page_size();
double physical_memory(); // bytes; infinite where the system does not tell

// ---- processes and threads
// Calls `before` and `in_parent` in a process that forks and `in_child` in the child, each in the forking thread. Null means
// nothing to do. Call it from the initializer of a static variable, so that handlers exist before any fork. False where it failed or
// the system has no fork.
bool on_fork(void (*before)(), void (*in_parent)(), void (*in_child)());
int available_cores(); // cores that the affinity mask and the cgroup quota of this process allow, at least 1
bool on_main_thread(); // after fork(), the thread that forked is the main thread of the child
[[noreturn]] void sleep_until_exit(); // until the process ends

// Monotonic. Favors a cheap read (about 5 ns) over resolution (a few milliseconds).
std::chrono::nanoseconds coarse_time();

// Tells the processor that a loop waits for another thread.
inline void spin_pause() {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    asm volatile("yield");
#endif
}

} // namespace ceiba
