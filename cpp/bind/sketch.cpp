// Bindings of the quantile sketch and candidate cuts, for tests: the engine uses them within C++.
#include "data/binning/sketch.hpp"

#include "base/errors.hpp"
#include "bind/arrays.hpp"
#include "bind/gil.hpp"
#include "data/binning/candidates.hpp"
#include "data/coded/recoded.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/vector.h>

#include <cmath>
#include <memory>
#include <optional>
#include <string>

namespace ceiba {

namespace {

// Weights in multiples of `unit`, rounded to the nearest.
SketchWeight to_units(double weight, double unit) {
    const double units = std::nearbyint(weight / unit);
    if (!(weight >= 0) || !(units < 0x1p62))
        throw InputError("Weights of a sketch must not be negative, and below 2^62 units. Got " +
                         std::to_string(weight) + " with a unit of " + std::to_string(unit) + ".");
    return static_cast<SketchWeight>(units);
}

void add(QuantileSketch& sketch, const Array1<double>& values,
         const std::optional<Array1<double>>& weights, double unit) {
    if (weights && weights->shape(0) != values.shape(0))
        throw InputError("There must be one weight for each value. Got " +
                         std::to_string(weights->shape(0)) + " weights for " +
                         std::to_string(values.shape(0)) + " values.");
    if (!(unit > 0)) throw InputError("unit must be above 0. Got " + std::to_string(unit) + ".");
    const ReleasedGil released;
    for (std::size_t i = 0; i < values.shape(0); ++i)
        sketch.add(values.data()[i], weights ? to_units(weights->data()[i], unit) : 1);
}

nb::ndarray<nb::numpy, double> values_at(const QuantileSketch& sketch,
                                         const Array1<std::uint64_t>& ranks) {
    const QuantileSummary summary = sketch.summary();
    if (summary.empty()) throw InputError("An empty sketch has no quantiles. Add rows first.");
    std::vector<double> out;
    for (std::size_t i = 0; i < ranks.shape(0); ++i) {
        if (ranks.data()[i] > summary.total())
            throw InputError("A rank must be at most the total weight, " +
                             std::to_string(summary.total()) + ". Got " +
                             std::to_string(ranks.data()[i]) + ".");
        out.push_back(summary.value_at(ranks.data()[i]));
    }
    return to_numpy(std::move(out));
}

nb::ndarray<nb::numpy, std::uint32_t> cuts_of(const RankedColumns& ranked, int feature,
                                              const Array1<std::uint64_t>& weights, int most_bins) {
    if (feature < 0 || feature >= ranked.n_features())
        throw nb::index_error("There is no such feature.");
    if (static_cast<std::int64_t>(weights.shape(0)) != ranked.n_rows() || most_bins < 1)
        throw InputError("There must be a weight for each row, and at least one bin.");
    Cuts cuts;
    find_cuts(ranked, feature, weights.data(), most_bins, cuts);
    return to_numpy(std::move(cuts));
}

} // namespace

void bind_sketch(nb::module_& m) {
    nb::class_<QuantileSketch>(
        m, "QuantileSketch",
        "A mergeable quantile sketch of a weighted column with a bounded rank error.")
        .def(nb::init<double, std::int64_t>(), nb::arg("eps"),
             nb::arg("block_rows") = QuantileSketch::kBlockRows)
        .def("add", &add, nb::arg("values"), nb::arg("weights").none() = nb::none(),
             nb::arg("unit") = 1.0, "Add rows; weights are rounded to whole multiples of unit.")
        .def("merge", &QuantileSketch::merge, nb::arg("other"), "Add the rows of another sketch.")
        .def("values_at", &values_at, nb::arg("ranks"),
             "Values at these ranks (0 to total), each within eps * total of its rank.")
        .def(
            "cuts",
            [](const QuantileSketch& self, int n) { return to_numpy(self.summary().cuts(n)); },
            nb::arg("n"), "The distinct values that divide the weight into n equal parts.")
        .def_prop_ro("total", &QuantileSketch::total, "The weight of all rows, in units.")
        .def_prop_ro("gap", [](const QuantileSketch& self) { return self.summary().gap(); })
        .def_prop_ro("n_entries", &QuantileSketch::n_entries)
        .def("most_entries", &QuantileSketch::most_entries, nb::arg("n_rows"),
             "Upper bound of n_entries after n_rows rows, however they were merged.");

    m.def("find_cuts", &cuts_of, nb::arg("ranked"), nb::arg("feature"), nb::arg("weights"),
          nb::arg("most_bins"),
          "Ranks that divide a column into bins of equal weight; none without weight.");

    nb::class_<RecodedMatrix>(m, "RecodedMatrix", "A binned table that is recoded for each tree.")
        .def(nb::init<std::shared_ptr<const RankedColumns>, int>(), nb::arg("ranked"),
             nb::arg("most_bins"))
        .def(
            "recode",
            [](RecodedMatrix& self, const std::vector<int>& columns, std::vector<Cuts> cuts,
               int n_threads) { self.recode(columns, cuts, n_threads); },
            nb::arg("columns"), nb::arg("cuts"), nb::arg("n_threads"),
            "Encode all rows of these columns by the cuts (a list for each column of the table).")
        .def_prop_ro(
            "binned",
            [](const RecodedMatrix& self) -> const BinnedMatrix& { return self.binned(); },
            nb::rv_policy::reference_internal);
}

} // namespace ceiba
