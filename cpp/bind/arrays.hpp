// Conversion between numpy arrays and the core.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstdint>
#include <initializer_list>
#include <utility>
#include <vector>

namespace ceiba {

namespace nb = nanobind;

template <class T>
using Array1 = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
template <class T>
using Array2 = nb::ndarray<const T, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
template <class T>
using Out1 = nb::ndarray<T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
template <class T>
using Out2 = nb::ndarray<T, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

// Move a vector into a numpy array that owns it, without a copy.
template <class T, class Allocator>
nb::ndarray<nb::numpy, T> to_numpy(std::vector<T, Allocator>&& values, std::size_t n_dimensions,
                                   const std::size_t* shape) {
    using Values = std::vector<T, Allocator>;
    auto* owned = new Values(std::move(values));
    nb::capsule owner(owned, [](void* p) noexcept { delete static_cast<Values*>(p); });
    return nb::ndarray<nb::numpy, T>(owned->data(), n_dimensions, shape, owner);
}

template <class T>
nb::ndarray<nb::numpy, T> to_numpy(std::vector<T>&& values,
                                   std::initializer_list<std::size_t> shape) {
    return to_numpy(std::move(values), shape.size(), shape.begin());
}

template <class T>
nb::ndarray<nb::numpy, T> to_numpy(std::vector<T>&& values) {
    const std::size_t n = values.size();
    return to_numpy(std::move(values), {n});
}

} // namespace ceiba
