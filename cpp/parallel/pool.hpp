// Thread pool with parallel_for, safe under fork().
//
// The life of a job:
//   1. parallel_for(n_threads, n_tasks, task) is called, usually by the thread that holds the
//      Python call.
//   2. It wakes up to n_threads - 1 sleeping workers and takes part itself. One atomic counter
//      hands out the tasks.
//   3. It returns when every task has run. The first exception of a task is rethrown in the caller.
//      A signal (base/interrupt.hpp) ends the job before its next task.
//
// Results do not depend on which thread runs a task: tasks write to separate memory and sum
// integers. A call from inside a task runs on that task's thread. After fork() the child starts
// without workers and creates its own when it first needs them, so a process that has trained may
// fork and continue training.
#pragma once

#include "base/interrupt.hpp"

#include <cstdint>
#include <type_traits>

namespace ceiba {

// A task without a heap allocation: a pointer to the callable and a function that calls it.
struct TaskRef {
    void* callable;
    void (*call)(void*, std::int64_t);
};

void run_parallel(int n_threads, std::int64_t n_tasks, TaskRef task);

template <class F>
void parallel_for(int n_threads, std::int64_t n_tasks, F&& task) {
    if (n_threads <= 1 || n_tasks <= 1) {
        for (std::int64_t i = 0; i < n_tasks; ++i) {
            check_interrupt();
            task(i);
        }
        return;
    }
    using Callable = std::remove_reference_t<F>;
    run_parallel(n_threads, n_tasks,
                 {const_cast<void*>(static_cast<const void*>(&task)),
                  [](void* callable, std::int64_t i) { (*static_cast<Callable*>(callable))(i); }});
}

// n_threads, or 1 if the work (in steps of a few nanoseconds) is too small to wake a worker.
int useful_threads(int n_threads, std::int64_t work);

} // namespace ceiba
