// Binding of tables that are read block by block: bin edges and codes.

#include "base/errors.hpp"
#include "bind/arrays.hpp"
#include "bind/gil.hpp"
#include "bind/held_table.hpp"
#include "data/binning/edge_search.hpp"
#include "data/coded/binned_blocks.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ceiba {
namespace {

void check_bins(int max_bins) {
    if (max_bins < 2 || max_bins > 65535)
        throw InputError("max_bins must be between 2 and 65535. Got " + std::to_string(max_bins) +
                         ".");
}

void add_to_search(EdgeSearch& search, const nb::list& parts,
                   const std::optional<Array1<double>>& weights, int n_threads) {
    const HeldTable table(parts);
    if (weights && static_cast<std::int64_t>(weights->size()) != table.n_rows())
        throw InputError("There must be one weight for each row. Got " +
                         std::to_string(weights->size()) + " weights for " +
                         std::to_string(table.n_rows()) + " rows.");
    const double* weight = weights ? weights->data() : nullptr;
    const ReleasedGil released;
    search.add(table.columns(), weight, n_threads);
}

std::vector<int> usual_codes(const EdgeSearch& search, const std::shared_ptr<BinMapper>& mapper) {
    const ReleasedGil released;
    return may_share(*mapper, search.sampled_codes(*mapper));
}

void put_codes(BinnedBlocks& blocks, int feature, const Array1<std::uint16_t>& codes) {
    const ReleasedGil released;
    blocks.put(feature, codes.data(), static_cast<std::int64_t>(codes.size()));
}

} // namespace

void bind_binning(nb::module_& m) {
    nb::class_<EdgeSearch>(m, "EdgeSearch",
                           "Search for the bin edges of a table in blocks, in several passes.")
        .def(
            "__init__",
            [](EdgeSearch* self, int n_columns, int max_bins, double min_data_in_bin,
               std::int64_t most_entries) {
                check_bins(max_bins);
                if (n_columns < 0) throw InputError("n_columns must be at least 0.");
                new (self) EdgeSearch(n_columns, {max_bins, min_data_in_bin}, most_entries);
            },
            nb::arg("n_columns"), nb::arg("max_bins"), nb::arg("min_data_in_bin"),
            nb::arg("most_entries") = EdgeSearch::kMostEntries,
            "most_entries: values that a pass may collect.")
        .def("add", &add_to_search, nb::arg("columns"), nb::arg("weights").none(),
             nb::arg("n_threads"), "Read a block of rows.")
        .def(
            "end_pass",
            [](EdgeSearch& self, const std::vector<std::int64_t>& n_levels, int n_threads) {
                const ReleasedGil released;
                return self.end_pass(n_levels, n_threads);
            },
            nb::arg("n_levels"), nb::arg("n_threads"),
            "Return whether all edges are found; otherwise all blocks must be added again.")
        .def("fork", &EdgeSearch::fork, "An empty search in the same pass, for other rows.")
        .def("merge", &EdgeSearch::merge, nb::arg("other"), "Add the rows of a fork.")
        .def("usual_codes", &usual_codes, nb::arg("mapper"),
             "The code that a column rarely leaves, or -1; estimated from a sample.")
        .def_prop_ro("n_rows", &EdgeSearch::n_rows)
        .def_prop_ro("n_passes", &EdgeSearch::n_passes)
        .def_prop_ro("mapper", [](const EdgeSearch& self) {
            return std::const_pointer_cast<BinMapper>(self.mapper());
        });

    nb::class_<BinnedBlocks>(m, "BinnedBlocks", "A binned table that is filled block by block.")
        .def(
            "__init__",
            [](BinnedBlocks* self, const std::shared_ptr<BinMapper>& mapper, std::int64_t n_rows,
               std::vector<int> usual,
               bool lists) { new (self) BinnedBlocks(mapper, n_rows, std::move(usual), lists); },
            nb::arg("mapper"), nb::arg("n_rows"), nb::arg("usual") = std::vector<int>{},
            nb::arg("lists") = true,
            "usual: the code that most rows of each column have, or -1. lists: columns may become "
            "lists of their unusual rows.")
        .def(
            "add",
            [](BinnedBlocks& self, const nb::list& parts, int n_threads) {
                const HeldTable table(parts);
                const ReleasedGil released;
                self.add(table.columns(), n_threads);
            },
            nb::arg("columns"), nb::arg("n_threads"), "Encode the next rows.")
        .def("put", &put_codes, nb::arg("feature"), nb::arg("codes"),
             "Append the codes of the next rows of one column.")
        .def(
            "finish",
            [](BinnedBlocks& self, int n_threads) {
                const ReleasedGil released;
                return std::const_pointer_cast<BinnedMatrix>(self.finish(n_threads));
            },
            nb::arg("n_threads"), "Return the table.");
}

} // namespace ceiba
