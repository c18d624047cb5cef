// Trees as a dictionary of numpy arrays, and back: the representation in Python and in model files.
//
// One array for each entry of for_each_array(), under its name. `value` and `linear_slope` are 2-D
// if leaves have several outputs. Arrays of sets and of linear leaves exist only if the forest has
// any, n_parallel only if it is above 1, and linear_extrapolates (1) only if linear leaves
// extrapolate.
#pragma once

#include "base/errors.hpp"
#include "bind/arrays.hpp"
#include "tree/tree_arrays.hpp"

#include <string>
#include <utility>
#include <vector>

namespace ceiba {

// The name of every array and the numpy type of its entries, in the order of the model file.
inline nb::typed<nb::dict, nb::str, nb::str> tree_array_types(const std::string& of) {
    if (of != "trees" && of != "sets" && of != "linear")
        throw InputError("of must be trees, sets or linear. Got " + of + ".");
    const Part part = of == "trees" ? Part::trees : of == "sets" ? Part::sets : Part::linear_leaves;
    nb::dict out;
    for_each_array([&]<class T>(const TreeArray<T>& array) {
        if (array.part != part) return;
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
    // Read before the view moves the arrays.
    const bool has[] = {true, arrays.has_sets(), arrays.has_linear_leaves()};
    for_each_array([&](const auto& array) {
        if (!has[static_cast<int>(array.part)]) return;
        auto& values = arrays.*array.member;
        const bool wide = (array.per == Per::value || array.per == Per::slope) && width > 1;
        const std::size_t shape[] = {wide ? values.size() / width : values.size(), width};
        out[array.name] = view(values, wide ? 2 : 1, shape);
    });
    if (arrays.n_parallel > 1)
        out["n_parallel"] =
            to_numpy(std::vector<std::int32_t>{static_cast<std::int32_t>(arrays.n_parallel)});
    if (arrays.extrapolates) out["linear_extrapolates"] = to_numpy(std::vector<std::int32_t>{1});
    return out;
}

// Copies the arrays.
inline nb::dict copied_trees(TreeArrays arrays) {
    return tree_dict(arrays, []<class T>(PagedVector<T>& values, std::size_t n_dimensions,
                                         const std::size_t* shape) {
        return to_numpy(std::move(values), n_dimensions, shape);
    });
}

// Read-only views that keep their owner alive.
inline nb::dict viewed_trees(const TreeArrays& arrays, nb::handle owner) {
    return tree_dict(arrays, [&]<class T>(const PagedVector<T>& values, std::size_t n_dimensions,
                                          const std::size_t* shape) {
        static const T nothing{}; // numpy needs an address even for empty arrays
        return nb::ndarray<nb::numpy, const T>(values.empty() ? &nothing : values.data(),
                                               n_dimensions, shape, owner);
    });
}

// The number in an array of one element, if present.
inline std::int64_t read_number(const nb::dict& given, const char* name, std::int32_t least,
                                const char* range) {
    Array1<std::int32_t> number;
    if (!nb::try_cast<Array1<std::int32_t>>(given[name], number, false) || number.size() != 1 ||
        number.data()[0] < least)
        throw ModelFileError("The array " + std::string(name) + " of the model must contain " +
                             range + ".");
    return number.data()[0];
}

inline TreeArrays read_trees(const nb::dict& given) {
    TreeArrays arrays;
    bool has[] = {true, false, false};
    for_each_array([&](const auto& entry) {
        bool& own = has[static_cast<int>(entry.part)];
        own = own || given.contains(entry.name);
    });
    for_each_array([&]<class T>(const TreeArray<T>& entry) {
        if (!has[static_cast<int>(entry.part)]) return;
        const std::string name = entry.name;
        if (!given.contains(entry.name))
            throw ModelFileError("The model has no array called " + name + ".");
        const bool by_output = entry.per == Per::value || entry.per == Per::slope;
        PagedVector<T>& own = arrays.*entry.member;
        Array1<T> plain;
        Array2<T> wide;
        if (nb::try_cast<Array1<T>>(given[entry.name], plain, false)) {
            own.assign(plain.data(), plain.data() + plain.size());
        } else if (by_output && nb::try_cast<Array2<T>>(given[entry.name], wide, false) &&
                   wide.shape(1) > 1) {
            own.assign(wide.data(), wide.data() + wide.size());
            if (entry.per == Per::value)
                arrays.leaf_width = static_cast<std::int64_t>(wide.shape(1));
        } else {
            throw ModelFileError("The array " + name +
                                 " of the model has the wrong type or shape.");
        }
    });
    if (given.contains("n_parallel"))
        arrays.n_parallel = read_number(given, "n_parallel", 2, "a number above 1");
    if (given.contains("linear_extrapolates"))
        arrays.extrapolates = read_number(given, "linear_extrapolates", 1, "the number 1") == 1;
    if (has[static_cast<int>(Part::sets)] && arrays.set_of_node.empty())
        throw ModelFileError("The model has level sets, but no nodes that use them.");
    if ((has[static_cast<int>(Part::linear_leaves)] || given.contains("linear_extrapolates")) &&
        arrays.linear_feature.empty())
        throw ModelFileError("The model has linear leaves, but no terms.");
    return arrays;
}

} // namespace ceiba
