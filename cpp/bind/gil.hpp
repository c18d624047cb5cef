// Release of the GIL around native work, with checks for Python signals while it is released.
#pragma once

#include "base/interrupt.hpp"

#include <nanobind/nanobind.h>

#include <optional>

namespace ceiba {

// The GIL is released for as long as this lives. On the main thread, where Python runs its signal
// handlers, the work in between is interruptible (base/interrupt.hpp).
//
// Not nanobind's gil_scoped_release: a daemon thread that comes back from the core while the
// interpreter exits does not get the GIL any more, and up to Python 3.13 PyEval_RestoreThread then
// ends it by pthread_exit, which unwinds its stack. Neither a destructor nor nanobind's callers
// above it let anything unwind through them: the process would be aborted. So the thread sleeps
// until the process has ended, which is what Python itself does from 3.14 on.
class ReleasedGil {
  public:
    ReleasedGil();
    ~ReleasedGil();
    ReleasedGil(const ReleasedGil&) = delete;
    ReleasedGil& operator=(const ReleasedGil&) = delete;

  private:
    static bool run_signal_handlers(void* self);

    PyThreadState* state_;
    std::optional<InterruptScope> interrupts_;
};

// Sets the exception that the signal handler of the last Interrupted raised as the Python error.
void restore_interrupt();

} // namespace ceiba
