// Bindings of explanations by pairs of rows, reading arrays in place.
#include "explain/paired_explainer.hpp"

#include "base/errors.hpp"
#include "bind/gil.hpp"
#include "bind/held_array.hpp"
#include "bind/row_arrays.hpp"

#include <nanobind/stl/vector.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace ceiba {

namespace {

using Sources = std::vector<std::vector<std::int32_t>>;

void make(PairedExplainer* self, const Forest& forest, std::int64_t begin, std::int64_t end,
          const StatisticsTables& statistics, Sources columns, std::int64_t n_players,
          bool interactions) {
    bool fits = static_cast<std::int64_t>(columns.size()) == forest.n_features() &&
                columns.size() >= statistics.n_columns() && 0 <= begin && begin <= end &&
                end <= forest.n_iterations();
    for (std::size_t j = 0; fits && j < columns.size(); ++j)
        fits = !columns[j].empty() &&
               (columns[j].size() == 1 || j >= columns.size() - statistics.n_columns()) &&
               std::ranges::all_of(columns[j], [&](auto p) { return 0 <= p && p < n_players; });
    if (!fits)
        throw InputError(
            "Each column must have players, and begin and end must be rounds of the forest.");
    const ReleasedGil released;
    new (self) PairedExplainer(forest, begin, end, statistics, std::move(columns), n_players,
                               interactions);
}

// The columns that trees read, and the levels that combinations need.
struct PairedRows {
    PairedRows(const PairedExplainer& explainer, const nb::sequence& arrays,
               const nb::sequence& level_arrays)
        : columns(arrays, explainer.n_columns()),
          held(level_arrays, std::ssize(explainer.level_players())) {
        for (const ColumnView& view : held.views) {
            const ColumnChunk chunk{view.data,   view.stride, held.n_rows,    view.type,
                                    view.sparse, view.rows,   view.n_entries, view.absent};
            levels.emplace_back(std::vector<ColumnChunk>{chunk});
        }
        if (!levels.empty() && held.n_rows != columns.n_rows)
            throw InputError("Columns and levels must have the same rows.");
    }

    Columns columns, held;
    std::vector<Column> levels;
};

void explain(const PairedExplainer& self, const nb::sequence& columns, const nb::sequence& levels,
             nb::handle out, int n_threads) {
    const PairedRows rows(self, columns, levels);
    const HeldArray values(out, true);
    const bool fits = values.is_contiguous() && values.type() == NumberType::float64 &&
                      values.n_items() == rows.columns.n_rows * self.row_width();
    if (!fits)
        throw InputError("Values must be a contiguous float64 array of rows, players (twice with "
                         "interactions) and outputs.");
    const ReleasedGil released;
    self.explain(rows.columns.rows(), rows.levels, static_cast<double*>(values.data()), n_threads);
}

} // namespace

void bind_paired_explainer(nb::module_& m) {
    nb::class_<PairedExplainer>(
        m, "PairedExplainer",
        "Exact interventional Shapley values for trees with columns that combine several players.")
        .def("__init__", &make, nb::arg("forest"), nb::arg("begin"), nb::arg("end"),
             nb::arg("statistics"), nb::arg("columns"), nb::arg("n_players"),
             nb::arg("interactions"), nb::keep_alive<1, 2>(), nb::keep_alive<1, 5>(),
             "Explain a range of iterations; columns: the players of each column of the trees, "
             "those of the statistics last.")
        .def_prop_ro(
            "level_players", &PairedExplainer::level_players,
            "The players whose levels must be given in addition to the columns of the trees.")
        .def(
            "set_background",
            [](PairedExplainer& self, const nb::sequence& columns, const nb::sequence& levels,
               int n_threads) {
                const PairedRows rows(self, columns, levels);
                const ReleasedGil released;
                self.set_background(rows.columns.rows(), rows.levels, n_threads);
            },
            nb::arg("columns"), nb::arg("levels"), nb::arg("n_threads"),
            "Set the rows whose values absent players take.")
        .def("explain", &explain, nb::arg("columns"), nb::arg("levels"), nb::arg("out"),
             nb::arg("n_threads"),
             "Write the values [n, n_players, n_outputs] of rows, or [n, n_players, n_players, "
             "n_outputs] with interactions.");
}

} // namespace ceiba
