// The errors of the core. The binding turns each into the Python class of the same meaning.
#pragma once

#include <stdexcept>

namespace ceiba {

// Data that cannot be used: becomes ceiba.errors.InvalidInputError.
struct InputError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// A model whose arrays do not describe a forest: becomes ceiba.errors.ModelFileError.
struct ModelFileError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

} // namespace ceiba
