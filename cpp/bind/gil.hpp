// Releases the GIL around native work and checks for Python signals while it is released.
#pragma once

#include "base/interrupt.hpp"

#include <nanobind/nanobind.h>

#include <optional>

namespace ceiba {

// Releases the GIL during its lifetime. On the main thread, where Python runs its signal handlers,
// the work in between can be interrupted (base/interrupt.hpp).
//
// nanobind's gil_scoped_release aborts the process in one case. A daemon thread that returns from
// the core while the interpreter exits cannot get the GIL any more, and up to Python 3.13
// PyEval_RestoreThread then ends it by pthread_exit, which unwinds its stack. Neither a destructor
// nor nanobind's callers allow unwinding. So the thread sleeps until the process ends, as Python
// itself does from 3.14 on.
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

// Set the exception of the signal handler behind the last Interrupted as the Python error.
void restore_interrupt();

} // namespace ceiba
