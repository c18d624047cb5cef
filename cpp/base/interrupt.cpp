#include "base/interrupt.hpp"

#include <time.h>

namespace ceiba {

namespace {

struct CurrentScope {
    InterruptScope* scope = nullptr;
    bool owned = false; // opened by this thread, which therefore polls
};

thread_local CurrentScope current;

// A few milliseconds of resolution are enough, and reading the coarse clock costs 5 ns.
std::chrono::nanoseconds now() {
#if defined(CLOCK_MONOTONIC_COARSE)
    timespec time{};
    clock_gettime(CLOCK_MONOTONIC_COARSE, &time);
    return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
#else
    return std::chrono::steady_clock::now().time_since_epoch();
#endif
}

} // namespace

InterruptScope::InterruptScope(Poll poll, void* context)
    : poll_(poll), context_(context), outer_(current.scope), outer_owned_(current.owned),
      due_(now() + kPollInterval) {
    current = {this, true};
}

InterruptScope::~InterruptScope() {
    current = {outer_, outer_owned_};
}

void InterruptScope::poll_if_due() {
    const auto time = now();
    if (raised() || time < due_) return;
    due_ = time + kPollInterval;
    if (poll_(context_)) raised_.store(true, std::memory_order_relaxed);
}

InterruptScope* current_interrupt_scope() {
    return current.scope;
}

BorrowedInterruptScope::BorrowedInterruptScope(InterruptScope* scope) {
    current = {scope, false};
}

BorrowedInterruptScope::~BorrowedInterruptScope() {
    current = {};
}

void check_interrupt() {
    InterruptScope* scope = current.scope;
    if (scope == nullptr) return;
    if (current.owned) scope->poll_if_due();
    if (scope->raised()) throw Interrupted();
}

} // namespace ceiba
