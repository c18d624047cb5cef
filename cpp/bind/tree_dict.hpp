// Trees as a dictionary of numpy arrays, and back: the form in which Python sees and stores them.
//
// One array for each entry of for_each_array(), under its name. `value` has a second dimension where
// leaves have several outputs; optional arrays are there where the forest has sets, and n_parallel
// where it is above 1.
#pragma once

#include "base/errors.hpp"
#include "bind/arrays.hpp"
#include "tree/tree_arrays.hpp"

#include <string>
#include <utility>
#include <vector>

namespace ceiba {

// The name of every array and the numpy type of its entries, in the order of the model file.
inline nb::typed<nb::dict, nb::str, nb::str> tree_array_types(bool optional) {
    nb::dict out;
    for_each_array([&]<class T>(const TreeArray<T>& array) {
        if (array.optional != optional) return;
        const char* kind = std::is_floating_point_v<T> ? "float"
                           : std::is_signed_v<T>       ? "int"
                                                       : "uint";
        out[array.name] = nb::str((kind + std::to_string(8 * sizeof(T))).c_str());
    });
    return out;
}

// view(values, n_dimensions, shape): the numpy array of one of them.
template <class Arrays, class View>
nb::dict tree_dict(Arrays&& arrays, View view) {
    nb::dict out;
    const auto width = static_cast<std::size_t>(arrays.leaf_width);
    const bool has_sets = arrays.has_sets(); // before the view moves them
    for_each_array([&](const auto& array) {
        if (array.optional && !has_sets) return;
        auto& values = arrays.*array.member;
        const bool wide = array.per == Per::value && width > 1;
        const std::size_t shape[] = {wide ? values.size() / width : values.size(), width};
        out[array.name] = view(values, wide ? 2 : 1, shape);
    });
    if (arrays.n_parallel > 1)
        out["n_parallel"] =
            to_numpy(std::vector<std::int32_t>{static_cast<std::int32_t>(arrays.n_parallel)});
    return out;
}

// Arrays of their own.
inline nb::dict copied_trees(TreeArrays arrays) {
    return tree_dict(arrays, []<class T>(std::vector<T>& values, std::size_t n_dimensions,
                                         const std::size_t* shape) {
        return to_numpy(std::move(values), n_dimensions, shape);
    });
}

// Views that keep their owner alive and cannot be written to.
inline nb::dict viewed_trees(const TreeArrays& arrays, nb::handle owner) {
    return tree_dict(arrays, [&]<class T>(const std::vector<T>& values, std::size_t n_dimensions,
                                          const std::size_t* shape) {
        static const T nothing{}; // numpy wants an address even for no elements
        return nb::ndarray<nb::numpy, const T>(values.empty() ? &nothing : values.data(),
                                               n_dimensions, shape, owner);
    });
}

inline TreeArrays read_trees(const nb::dict& given) {
    TreeArrays arrays;
    bool has_sets = false;
    for_each_array([&](const auto& entry) {
        has_sets = has_sets || (entry.optional && given.contains(entry.name));
    });
    for_each_array([&]<class T>(const TreeArray<T>& entry) {
        if (entry.optional && !has_sets) return;
        const std::string name = entry.name;
        if (!given.contains(entry.name))
            throw ModelFileError("The model has no array called " + name + ".");
        std::vector<T>& own = arrays.*entry.member;
        Array1<T> plain;
        Array2<T> wide;
        if (nb::try_cast<Array1<T>>(given[entry.name], plain, false)) {
            own.assign(plain.data(), plain.data() + plain.size());
        } else if (entry.per == Per::value &&
                   nb::try_cast<Array2<T>>(given[entry.name], wide, false) && wide.shape(1) > 1) {
            own.assign(wide.data(), wide.data() + wide.size());
            arrays.leaf_width = static_cast<std::int64_t>(wide.shape(1));
        } else {
            throw ModelFileError("The array " + name +
                                 " of the model has the wrong type or shape.");
        }
    });
    if (given.contains("n_parallel")) {
        Array1<std::int32_t> number;
        if (!nb::try_cast<Array1<std::int32_t>>(given["n_parallel"], number, false) ||
            number.size() != 1 || number.data()[0] < 2)
            throw ModelFileError("The array n_parallel of the model must hold a number above 1.");
        arrays.n_parallel = number.data()[0];
    }
    if (has_sets && arrays.set_of_node.empty())
        throw ModelFileError("The model has sets, and no nodes that split by them.");
    return arrays;
}

} // namespace ceiba
