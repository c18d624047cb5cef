// Numeric arrays of Python, read in place.
#pragma once

#include "base/errors.hpp"
#include "data/column.hpp"

#include <nanobind/nanobind.h>

#include <cstdint>
#include <string>

namespace ceiba {

namespace nb = nanobind;

// A numpy array through the buffer protocol, which takes 10 % of the time of an ndarray argument;
// that time dominates the prediction of one row. Keeps the array alive.
class HeldArray {
  public:
    explicit HeldArray(nb::handle array, bool writable = false) {
        const int flags = PyBUF_STRIDES | PyBUF_FORMAT | (writable ? PyBUF_WRITABLE : 0);
        if (PyObject_GetBuffer(array.ptr(), &view_, flags) != 0) throw nb::python_error();
    }
    ~HeldArray() { PyBuffer_Release(&view_); }
    // Not movable, because a view may point into itself.
    HeldArray(const HeldArray&) = delete;
    HeldArray& operator=(const HeldArray&) = delete;

    int n_dimensions() const { return view_.ndim; }
    std::int64_t shape(int axis) const { return view_.shape[axis]; }
    std::int64_t stride(int axis) const { return view_.strides[axis]; }
    void* data() const { return view_.buf; }
    bool is_contiguous() const { return PyBuffer_IsContiguous(&view_, 'C') != 0; }
    std::int64_t n_items() const { return view_.itemsize ? view_.len / view_.itemsize : 0; }

    NumberType type() const {
        using enum NumberType;
        const char* format = view_.format == nullptr ? "B" : view_.format;
        if (format[0] == '@' || format[0] == '=' || format[0] == '<')
            ++format; // little-endian, as x86-64 and arm64
        if (format[0] != '\0' && format[1] == '\0') {
            switch (format[0]) {
            case 'f':
                return float32;
            case 'd':
                return float64;
            case '?':
                return boolean;
            case 'b':
            case 'h':
            case 'i':
            case 'l':
            case 'q':
                return by_size(int8, int16, int32, int64);
            case 'B':
            case 'H':
            case 'I':
            case 'L':
            case 'Q':
                return by_size(uint8, uint16, uint32, uint64);
            default:
                break;
            }
        }
        throw InputError("Columns must be float32, float64, integer or bool in native byte order. "
                         "Got the type '" +
                         std::string(format) + "'.");
    }

  private:
    NumberType by_size(NumberType one, NumberType two, NumberType four, NumberType eight) const {
        return view_.itemsize == 1   ? one
               : view_.itemsize == 2 ? two
               : view_.itemsize == 4 ? four
                                     : eight;
    }

    Py_buffer view_;
};

} // namespace ceiba
