#include "base/interrupt.hpp"

#include "base/system.hpp"

namespace ceiba {

namespace {

struct CurrentScope {
    InterruptScope* scope = nullptr;
    bool owned = false; // opened by this thread, which therefore polls
};

thread_local CurrentScope current;

} // namespace

InterruptScope::InterruptScope(Poll poll, void* context)
    : poll_(poll), context_(context), outer_(current.scope), outer_owned_(current.owned),
      due_(coarse_time() + kPollInterval) {
    current = {this, true};
}

InterruptScope::~InterruptScope() {
    current = {outer_, outer_owned_};
}

void InterruptScope::poll_if_due() {
    const auto time = coarse_time();
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
