// Bindings of partial dependence for one or two columns of a forest.
#include "explain/dependence.hpp"

#include "base/errors.hpp"
#include "bind/arrays.hpp"
#include "bind/gil.hpp"
#include "bind/held_array.hpp"
#include "bind/row_arrays.hpp"

#include <nanobind/stl/pair.h>
#include <nanobind/stl/vector.h>

#include <deque>
#include <optional>
#include <utility>
#include <vector>

namespace ceiba {

namespace {

using Axes = std::vector<std::pair<std::int32_t, std::vector<double>>>;

std::vector<Question> questions_of(const std::vector<Axes>& asked) {
    std::vector<Question> questions;
    for (const Axes& axes : asked) {
        Question& question = questions.emplace_back();
        for (const auto& [feature, points] : axes) question.axes.push_back({feature, points});
    }
    return questions;
}

// Row weights, or none.
class HeldWeights {
  public:
    HeldWeights(nb::handle weights, std::int64_t n_rows) {
        if (weights.is_none()) return;
        held_.emplace(weights);
        const bool fits = held_->is_contiguous() && held_->type() == NumberType::float64 &&
                          held_->n_items() == n_rows;
        if (!fits)
            throw InputError("Weights must be a contiguous float64 array, one for each row.");
    }
    const double* data() const {
        return held_ ? static_cast<const double*>(held_->data()) : nullptr;
    }

  private:
    std::optional<HeldArray> held_;
};

void add_rows(DependenceSums& sums, const RowSource& rows, nb::handle weights, int n_threads) {
    const HeldWeights held(weights, rows.n_rows());
    const ReleasedGil released;
    sums.add(rows, held.data(), n_threads);
}

// rule: (start, scale, largest weight).
void add_probabilities(DependenceSums& sums, const RowSource& rows, const nb::tuple& rule,
                       nb::handle weights, int n_threads) {
    if (sums.forest().n_outputs() != 1 || nb::len(rule) != 3)
        throw InputError("rule must be (start, scale, largest weight), for a single score.");
    const DependenceSums::Probability how{nb::cast<double>(rule[0]), nb::cast<double>(rule[1]),
                                          nb::cast<double>(rule[2])};
    if (!(how.largest > 0.0)) throw InputError("The largest weight must be positive.");
    const HeldWeights held(weights, rows.n_rows());
    const ReleasedGil released;
    sums.add_probabilities(rows, how, held.data(), n_threads);
}

// Fill an array [n_rows, n_cells, n_outputs] for each question.
void fill_rows(const DependenceSums& sums, const RowSource& rows, const nb::sequence& arrays,
               int n_threads) {
    std::deque<HeldArray> held;
    std::vector<double*> out;
    for (const nb::handle array : arrays) {
        const HeldArray& own = held.emplace_back(array, true);
        const std::size_t q = out.size();
        const bool fits = q < sums.questions().size() && own.is_contiguous() &&
                          own.type() == NumberType::float64 &&
                          own.n_items() == rows.n_rows() * sums.questions()[q].n_cells() *
                                               sums.forest().n_outputs();
        if (!fits)
            throw InputError("Scores must be contiguous float64 arrays, one for each question.");
        out.push_back(static_cast<double*>(own.data()));
    }
    if (out.size() != sums.questions().size())
        throw InputError("There must be an array of scores for each question.");
    const ReleasedGil released;
    sums.individual(rows, out, n_threads);
}

void bind_probabilities(nb::class_<DependenceSums>& sums) {
    sums.def(
            "add_probabilities_matrix",
            [](DependenceSums& self, nb::handle matrix, const nb::tuple& rule, nb::handle weights,
               int n_threads) {
                const HeldArray buffer(matrix);
                add_probabilities(self, matrix_rows(buffer, self.forest().n_features()), rule,
                                  weights, n_threads);
            },
            nb::arg("matrix"), nb::arg("rule"), nb::arg("weights").none(), nb::arg("n_threads"),
            "Sum the sigmoids of (start + sum of the trees) times scale over rows; rule: (start, "
            "scale, largest weight).")
        .def(
            "add_probabilities_columns",
            [](DependenceSums& self, const nb::sequence& arrays, const nb::tuple& rule,
               nb::handle weights, int n_threads) {
                const Columns columns(arrays, self.forest().n_features());
                add_probabilities(self, columns.rows(), rule, weights, n_threads);
            },
            nb::arg("columns"), nb::arg("rule"), nb::arg("weights").none(), nb::arg("n_threads"),
            "The same for one array per feature, of any numeric types.")
        .def(
            "probability",
            [](const DependenceSums& self, std::size_t question) {
                if (question >= self.questions().size())
                    throw InputError("There is no such question.");
                return to_numpy(self.probability(question));
            },
            nb::arg("question"), "The mean of the sigmoids, [n_cells].");
}

} // namespace

void bind_dependence(nb::module_& m) {
    nb::class_<DependenceSums> sums(
        m, "DependenceSums", "Partial dependence: raw scores as a function of one or two columns.");
    sums.def(
            "__init__",
            [](DependenceSums* self, const Forest& forest, const std::vector<Axes>& questions) {
                new (self) DependenceSums(forest, questions_of(questions));
            },
            nb::arg("forest"), nb::arg("questions"), nb::keep_alive<1, 2>(),
            "A question is a list of one or two (column, points).")
        .def(
            "add_matrix",
            [](DependenceSums& self, nb::handle matrix, nb::handle weights, int n_threads) {
                const HeldArray buffer(matrix);
                add_rows(self, matrix_rows(buffer, self.forest().n_features()), weights, n_threads);
            },
            nb::arg("matrix"), nb::arg("weights").none(), nb::arg("n_threads"),
            "Count the rows of a matrix, or sum their weights.")
        .def(
            "add_columns",
            [](DependenceSums& self, const nb::sequence& arrays, nb::handle weights,
               int n_threads) {
                const Columns columns(arrays, self.forest().n_features());
                add_rows(self, columns.rows(), weights, n_threads);
            },
            nb::arg("columns"), nb::arg("weights").none(), nb::arg("n_threads"),
            "The same for one array per feature, of any numeric types.")
        .def("training", &DependenceSums::training,
             "Count the training rows, from the counts of the nodes.")
        .def(
            "average",
            [](const DependenceSums& self, std::size_t question) {
                if (question >= self.questions().size())
                    throw InputError("There is no such question.");
                std::vector<double> found;
                {
                    const ReleasedGil released;
                    found = self.average(question);
                }
                const auto n_outputs = static_cast<std::size_t>(self.forest().n_outputs());
                const std::size_t n_cells = found.size() / n_outputs;
                return to_numpy(std::move(found), {n_cells, n_outputs});
            },
            nb::arg("question"), "Mean sum of the trees, [n_cells, n_outputs].");
    bind_probabilities(sums);
    sums.def(
            "individual_matrix",
            [](const DependenceSums& self, nb::handle matrix, const nb::sequence& out,
               int n_threads) {
                const HeldArray buffer(matrix);
                fill_rows(self, matrix_rows(buffer, self.forest().n_features()), out, n_threads);
            },
            nb::arg("matrix"), nb::arg("out"), nb::arg("n_threads"),
            "Write the sum of the trees for each row: for each question an array [n_rows, n_cells, "
            "n_outputs].")
        .def(
            "individual_columns",
            [](const DependenceSums& self, const nb::sequence& arrays, const nb::sequence& out,
               int n_threads) {
                const Columns columns(arrays, self.forest().n_features());
                fill_rows(self, columns.rows(), out, n_threads);
            },
            nb::arg("columns"), nb::arg("out"), nb::arg("n_threads"),
            "The same for one array per feature, of any numeric types.");
}

} // namespace ceiba
