// Bindings of SHAP values, which read arrays in place.
#include "base/errors.hpp"
#include "bind/arrays.hpp"
#include "bind/gil.hpp"
#include "bind/held_array.hpp"
#include "bind/row_arrays.hpp"
#include "explain/explainer.hpp"

#include <nanobind/stl/vector.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace ceiba {

namespace {

void make(Explainer* self, const Forest& forest, std::int64_t begin, std::int64_t end,
          const std::vector<std::int32_t>& player_of_column, std::int64_t n_players,
          bool interactions) {
    const bool fits =
        static_cast<std::int64_t>(player_of_column.size()) == forest.n_features() &&
        std::ranges::all_of(player_of_column, [&](auto p) { return 0 <= p && p < n_players; }) &&
        0 <= begin && begin <= end && end <= forest.n_iterations();
    if (!fits)
        throw InputError(
            "Each column must have a player, and begin and end must be rounds of the forest.");
    const ReleasedGil released;
    new (self) Explainer(forest, begin, end, player_of_column, n_players, interactions);
}

void explain_rows(const Explainer& explainer, const RowSource& rows, nb::handle out,
                  int n_threads) {
    const HeldArray values(out, true);
    const bool fits = values.is_contiguous() && values.type() == NumberType::float64 &&
                      values.n_items() == rows.n_rows() * explainer.row_width();
    if (!fits)
        throw InputError("Values must be a contiguous float64 array (rows, players, outputs), or "
                         "(rows, players, players, outputs) with interactions.");
    const ReleasedGil released;
    explainer.explain(rows, static_cast<double*>(values.data()), n_threads);
}

} // namespace

void bind_explain(nb::module_& m) {
    nb::class_<Explainer>(m, "Explainer", "Exact Shapley values of the raw scores of a forest.")
        .def("__init__", &make, nb::arg("forest"), nb::arg("begin"), nb::arg("end"),
             nb::arg("player_of_column"), nb::arg("n_players"), nb::arg("interactions"),
             nb::keep_alive<1, 2>(),
             "Explain a range of iterations. Columns of one player are present or absent together.")
        .def(
            "set_background_matrix",
            [](Explainer& self, nb::handle matrix, int n_threads) {
                const HeldArray buffer(matrix);
                const RowSource rows = matrix_rows(buffer, self.n_columns());
                const ReleasedGil released;
                self.set_background(rows, n_threads);
            },
            nb::arg("matrix"), nb::arg("n_threads"),
            "Set the rows whose values absent players take.")
        .def(
            "set_background_columns",
            [](Explainer& self, const nb::sequence& arrays, int n_threads) {
                const Columns columns(arrays, self.n_columns());
                const ReleasedGil released;
                self.set_background(columns.rows(), n_threads);
            },
            nb::arg("columns"), nb::arg("n_threads"),
            "The same for one array per feature, of any numeric types.")
        .def(
            "explain_matrix",
            [](const Explainer& self, nb::handle matrix, nb::handle out, int n_threads) {
                const HeldArray buffer(matrix);
                explain_rows(self, matrix_rows(buffer, self.n_columns()), out, n_threads);
            },
            nb::arg("matrix"), nb::arg("out"), nb::arg("n_threads"),
            "Write the values [n, n_players, n_outputs] of rows, or [n, n_players, n_players, "
            "n_outputs] with interactions.")
        .def(
            "explain_columns",
            [](const Explainer& self, const nb::sequence& arrays, nb::handle out, int n_threads) {
                const Columns columns(arrays, self.n_columns());
                explain_rows(self, columns.rows(), out, n_threads);
            },
            nb::arg("columns"), nb::arg("out"), nb::arg("n_threads"),
            "The same for one array per feature, of any numeric types.")
        .def(
            "base",
            [](const Explainer& self) {
                std::vector<double> base(static_cast<std::size_t>(self.n_outputs()));
                self.add_base(base.data());
                return to_numpy(std::move(base));
            },
            "The sum of the trees with every player absent, for each output.");
}

} // namespace ceiba
