// Exceptions of the core. The binding translates each to a Python class.
#pragma once

#include <stdexcept>

namespace ceiba {

// Invalid data or parameters: becomes ceiba.errors.InvalidInputError.
struct InputError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// Arrays that do not describe a valid forest: becomes ceiba.errors.ModelFileError.
struct ModelFileError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

} // namespace ceiba
