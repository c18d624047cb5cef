// Other Python threads run while the core works.
#pragma once

#include <nanobind/nanobind.h>

#include <unistd.h>

namespace ceiba {

// The GIL is released for as long as this lives.
//
// Not nanobind's gil_scoped_release: a daemon thread that comes back from the core while the
// interpreter exits does not get the GIL any more, and up to Python 3.13 PyEval_RestoreThread then
// ends it by pthread_exit, which unwinds its stack. Neither a destructor nor nanobind's callers
// above it let anything unwind through them: the process would be aborted. So the thread sleeps
// until the process has ended, which is what Python itself lets it do from 3.14 on.
class ReleasedGil {
  public:
    ReleasedGil() noexcept : state_(PyEval_SaveThread()) {}
    ReleasedGil(const ReleasedGil&) = delete;
    ReleasedGil& operator=(const ReleasedGil&) = delete;
    ~ReleasedGil() {
        try {
            PyEval_RestoreThread(state_);
        } catch (...) { // the unwinding of pthread_exit; C functions throw nothing else
            for (;;) ::pause();
        }
    }

  private:
    PyThreadState* state_;
};

} // namespace ceiba
