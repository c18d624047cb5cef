#include "base/settings.hpp"

namespace ceiba {

Settings& settings() {
    static Settings instance;
    return instance;
}

Counters& counters() {
    static Counters instance;
    return instance;
}

} // namespace ceiba
