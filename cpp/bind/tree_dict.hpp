// Trees as a dictionary of numpy arrays, and back: the form in which Python sees and stores them.
#pragma once

#include "bind/arrays.hpp"
#include "tree/tree_arrays.hpp"

namespace ceiba {

inline nb::dict tree_dict(TreeArrays arrays) {
    nb::dict out;
    out["tree_offsets"] = to_numpy(std::move(arrays.tree_offsets));
    out["feature"] = to_numpy(std::move(arrays.feature));
    out["threshold"] = to_numpy(std::move(arrays.threshold));
    out["left"] = to_numpy(std::move(arrays.left));
    out["right"] = to_numpy(std::move(arrays.right));
    out["missing_left"] = to_numpy(std::move(arrays.missing_left));
    out["value"] = to_numpy(std::move(arrays.value));
    out["gain"] = to_numpy(std::move(arrays.gain));
    out["cover"] = to_numpy(std::move(arrays.cover));
    out["count"] = to_numpy(std::move(arrays.count));
    return out;
}

} // namespace ceiba
