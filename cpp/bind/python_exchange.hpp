// An exchange implemented in Python.
#pragma once

#include "bind/arrays.hpp"
#include "data/binning/bin_mapper.hpp"
#include "rows/exchange.hpp"

#include <memory>

namespace ceiba {

// `self` has the methods of rows/exchange.hpp on plain values (bind/plain_exchange.hpp).
std::unique_ptr<Exchange> python_exchange(nb::object self, std::shared_ptr<const BinMapper> mapper);

} // namespace ceiba
