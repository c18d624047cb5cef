// Cancellation of long computations: Ctrl-C takes effect within a fraction of a second.
//
// The life of an InterruptScope:
//   1. A binding opens one when it releases the GIL. `poll` asks Python whether a signal handler
//      raised an exception. Only the thread that opened the scope may call it.
//   2. The thread pool lends the scope to the workers of a job.
//   3. Loops call check_interrupt() every few milliseconds of work; parallel_for calls it before
//      each task. The owner calls `poll` at most once per kPollInterval; workers read a flag.
//   4. Once `poll` has returned true, every check throws Interrupted, on each thread of the scope.
//      The binding turns it into the exception that the signal handler raised.
//
// Python runs signal handlers in the main thread only. Work of other threads has no scope: a check
// costs one load of a thread-local pointer.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <exception>

namespace ceiba {

struct Interrupted : std::exception {
    const char* what() const noexcept override { return "interrupted by a signal"; }
};

class InterruptScope {
  public:
    using Poll = bool (*)(void* context);
    static constexpr std::chrono::milliseconds kPollInterval{50};

    // Becomes the scope of the calling thread until it is destroyed. Scopes nest.
    InterruptScope(Poll poll, void* context);
    ~InterruptScope();
    InterruptScope(const InterruptScope&) = delete;
    InterruptScope& operator=(const InterruptScope&) = delete;

    bool raised() const { return raised_.load(std::memory_order_relaxed); }

    // Poll if the interval has passed. Only the owner may call it; does not throw.
    void poll_if_due();

  private:
    Poll poll_;
    void* context_;
    InterruptScope* outer_;
    bool outer_owned_;
    std::chrono::nanoseconds due_;
    std::atomic<bool> raised_{false};
};

// The scope of the calling thread, or null.
InterruptScope* current_interrupt_scope();

// Lend a scope (or null) to the calling thread, which then reads its flag but does not poll.
class BorrowedInterruptScope {
  public:
    explicit BorrowedInterruptScope(InterruptScope* scope);
    ~BorrowedInterruptScope();
    BorrowedInterruptScope(const BorrowedInterruptScope&) = delete;
    BorrowedInterruptScope& operator=(const BorrowedInterruptScope&) = delete;
};

// Rows that a loop of a few nanoseconds per row may process between two checks.
constexpr std::size_t kRowsPerCheck = std::size_t{1} << 16;

// Throw Interrupted if a signal handler has raised an exception.
void check_interrupt();

} // namespace ceiba
