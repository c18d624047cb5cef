// Bindings of exceptions, processor features, internal sizes and counters.
#include "base/cpu.hpp"
#include "base/errors.hpp"
#include "base/settings.hpp"
#include "base/system.hpp"
#include "bind/arrays.hpp"
#include "bind/gil.hpp"
#include "parallel/pool.hpp"

#include <nanobind/stl/string.h>

#include <string>

namespace ceiba {

namespace {

void raise_as(const char* name, const char* message) {
    nb::object type = nb::module_::import_("ceiba.errors").attr(name);
    PyErr_SetString(type.ptr(), message);
}

struct NamedSetting {
    const char* name;
    std::int64_t Settings::* member;
    std::int64_t lowest, highest;
};

constexpr NamedSetting kSettings[] = {
    {"block_rows", &Settings::block_rows, 1, 4096},
    {"chunk_rows", &Settings::chunk_rows, 1, 1LL << 40},
    {"serial_below", &Settings::serial_below, 0, 1LL << 60},
    {"shard_rows", &Settings::shard_rows, 0, 1LL << 40},
    {"cached_codes", &Settings::cached_codes, 0, 1LL << 60},
    {"digit_rows", &Settings::digit_rows, 0, 1LL << 40},
    {"thin_columns", &Settings::thin_columns, 0, 1LL << 40},
    {"routed_nodes", &Settings::routed_nodes, 0, 1LL << 30},
    {"window_bytes", &Settings::window_bytes, 0, 1LL << 40},
};

struct NamedCounter {
    const char* name;
    std::atomic<std::int64_t> Counters::* member;
};

constexpr NamedCounter kCounters[] = {
    {"parallel_jobs", &Counters::parallel_jobs},
    {"flushes", &Counters::flushes},
    {"chunked_partitions", &Counters::chunked_partitions},
    {"merged_histograms", &Counters::merged_histograms},
    {"single_trees", &Counters::single_trees},
    {"packed_trees", &Counters::packed_trees},
    {"wide_trees", &Counters::wide_trees},
    {"extra_shards", &Counters::extra_shards},
    {"shared_columns", &Counters::shared_columns},
    {"listed_columns", &Counters::listed_columns},
    {"windows", &Counters::windows},
    {"paired_columns", &Counters::paired_columns},
};

nb::dict settings_dict() {
    nb::dict out;
    for (const auto& entry : kSettings) out[entry.name] = settings().*entry.member;
    return out;
}

void change_settings(const nb::kwargs& changes) {
    for (auto [key, value] : changes) {
        const std::string name = nb::cast<std::string>(key);
        bool known = false;
        for (const auto& entry : kSettings) {
            if (name != entry.name) continue;
            const auto wish = nb::cast<std::int64_t>(value);
            if (wish < entry.lowest || wish > entry.highest)
                throw InputError("setting " + name + " must be between " +
                                 std::to_string(entry.lowest) + " and " +
                                 std::to_string(entry.highest) + ". Got " + std::to_string(wish) +
                                 ".");
            settings().*entry.member = wish;
            known = true;
        }
        if (!known) throw InputError("There is no setting called " + name + ".");
    }
}

nb::dict counters_dict() {
    nb::dict out;
    for (const auto& entry : kCounters) out[entry.name] = (counters().*entry.member).load();
    return out;
}

void reset_counters() {
    for (const auto& entry : kCounters) (counters().*entry.member).store(0);
}

} // namespace

void bind_base(nb::module_& m) {
    nb::register_exception_translator([](const std::exception_ptr& p, void*) {
        try {
            std::rethrow_exception(p);
        } catch (const InputError& error) {
            raise_as("InvalidInputError", error.what());
        } catch (const ModelFileError& error) {
            raise_as("ModelFileError", error.what());
        } catch (const Interrupted&) {
            restore_interrupt();
        }
    });
    // No leak warnings for users: daemon threads and debuggers keep objects alive until exit.
    nb::set_leak_warnings(false);
    m.def("report_leaks", &nb::set_leak_warnings, nb::arg("on"),
          "Report objects that outlive the interpreter (for tests).");
    m.def("set_avx2", &set_avx2, nb::arg("on"),
          "Switch the AVX2 kernels on or off (no effect without AVX2).");
    m.def("uses_avx2", &use_avx2, "Whether AVX2 kernels are in use.");
    m.def("settings", &settings_dict, "Internal sizes, which do not change models.");
    m.def("change_settings", &change_settings, "Change internal sizes (for tests).");
    m.def("counters", &counters_dict, "How often each path ran since the last reset.");
    m.def("reset_counters", &reset_counters, "Set all counters to zero.");
    m.def("available_threads", &available_cores, "Cores that affinity and the cgroup quota allow.");
}

} // namespace ceiba
