#include "bind/gil.hpp"

#include "base/system.hpp"

namespace ceiba {

namespace {

// The exception of a signal handler, between the poll and the return to Python. Main thread only.
PyObject* raised_type = nullptr;
PyObject* raised_value = nullptr;
PyObject* raised_trace = nullptr;

} // namespace

ReleasedGil::ReleasedGil() : state_(PyEval_SaveThread()) {
    if (on_main_thread()) interrupts_.emplace(&run_signal_handlers, this);
}

ReleasedGil::~ReleasedGil() {
    try {
        PyEval_RestoreThread(state_);
    } catch (...) { // pthread_exit unwinds; C functions throw nothing else
        sleep_until_exit();
    }
}

bool ReleasedGil::run_signal_handlers(void* self) {
    auto& released = *static_cast<ReleasedGil*>(self);
    PyEval_RestoreThread(released.state_);
    const bool raised = PyErr_CheckSignals() != 0;
    if (raised) PyErr_Fetch(&raised_type, &raised_value, &raised_trace);
    released.state_ = PyEval_SaveThread();
    return raised;
}

void restore_interrupt() {
    PyErr_Restore(raised_type, raised_value, raised_trace);
    raised_type = raised_value = raised_trace = nullptr;
}

} // namespace ceiba
