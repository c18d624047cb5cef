// Bindings of forests and predictions, reading arrays in place.
#include "base/errors.hpp"
#include "bind/arrays.hpp"
#include "bind/gil.hpp"
#include "bind/held_array.hpp"
#include "bind/held_sparse.hpp"
#include "bind/row_arrays.hpp"
#include "bind/tree_dict.hpp"
#include "leaf/grown_trees.hpp"
#include "model/coded_linear_scores.hpp"
#include "model/collected_trees.hpp"
#include "model/forest.hpp"
#include "model/sort_rows.hpp"

#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>

#include <algorithm>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace ceiba {

namespace {

// For more rows, releasing the GIL costs less than it may gain.
constexpr std::int64_t kRowsWorthReleasing = 16;

void add_rows(const Forest& forest, const RowSource& rows, nb::handle out, std::int64_t begin,
              std::int64_t end, int n_threads) {
    const HeldArray scores(out, true);
    const bool fits = scores.is_contiguous() && scores.type() == NumberType::float64 &&
                      scores.n_items() == rows.n_rows() * forest.n_outputs();
    if (!fits)
        throw InputError(
            "Scores must be a contiguous float64 array with one entry per row and output.");
    auto* values = static_cast<double*>(scores.data());
    if (rows.n_rows() < kRowsWorthReleasing) return forest.add(rows, values, begin, end, n_threads);
    const ReleasedGil released;
    forest.add(rows, values, begin, end, n_threads);
}

void add_matrix(const Forest& forest, nb::handle matrix, nb::handle out, std::int64_t begin,
                std::int64_t end, int n_threads) {
    const HeldArray buffer(matrix);
    add_rows(forest, matrix_rows(buffer, forest.n_features()), out, begin, end, n_threads);
}

void add_columns(const Forest& forest, const nb::sequence& arrays, nb::handle out,
                 std::int64_t begin, std::int64_t end, int n_threads) {
    const Columns columns(arrays, forest.n_features());
    add_rows(forest, columns.rows(), out, begin, end, n_threads);
}

void add_sparse(const Forest& forest, const nb::tuple& matrix, nb::handle out, std::int64_t begin,
                std::int64_t end, int n_threads) {
    const HeldSparse held(matrix, forest.n_features());
    add_rows(forest, RowSource(held.rows()), out, begin, end, n_threads);
}

nb::ndarray<nb::numpy, std::int32_t> apply_rows(const Forest& forest, const RowSource& rows,
                                                std::int64_t begin, std::int64_t end,
                                                int n_threads) {
    const auto n_trees = static_cast<std::size_t>(std::max<std::int64_t>(0, end - begin) *
                                                  forest.trees_per_iteration());
    const auto n_rows = static_cast<std::size_t>(rows.n_rows());
    std::vector<std::int32_t> leaves(n_rows * n_trees);
    {
        const ReleasedGil released;
        forest.apply(rows, leaves.data(), begin, end, n_threads);
    }
    return to_numpy(std::move(leaves), {n_rows, n_trees});
}

nb::ndarray<nb::numpy, std::int32_t> apply_matrix(const Forest& forest, nb::handle matrix,
                                                  std::int64_t begin, std::int64_t end,
                                                  int n_threads) {
    const HeldArray buffer(matrix);
    return apply_rows(forest, matrix_rows(buffer, forest.n_features()), begin, end, n_threads);
}

nb::ndarray<nb::numpy, std::int32_t> apply_columns(const Forest& forest, const nb::sequence& arrays,
                                                   std::int64_t begin, std::int64_t end,
                                                   int n_threads) {
    const Columns columns(arrays, forest.n_features());
    return apply_rows(forest, columns.rows(), begin, end, n_threads);
}

nb::ndarray<nb::numpy, std::int32_t> apply_sparse(const Forest& forest, const nb::tuple& matrix,
                                                  std::int64_t begin, std::int64_t end,
                                                  int n_threads) {
    const HeldSparse held(matrix, forest.n_features());
    return apply_rows(forest, RowSource(held.rows()), begin, end, n_threads);
}

std::unique_ptr<Forest> from_grown(const nb::sequence& rounds, std::int64_t n_features,
                                   std::int64_t n_outputs, const Forest* before,
                                   std::int64_t n_parallel) {
    std::vector<const TreeArrays*> pieces;
    if (before != nullptr) {
        if (before->n_features() != n_features || before->n_outputs() != n_outputs)
            throw InputError("The previous forest must have the same features and outputs.");
        if (before->n_trees() > 0 && before->arrays().n_parallel != n_parallel)
            throw InputError("The previous forest must have as many trees in parallel.");
        pieces.push_back(&before->arrays());
    }
    for (const nb::handle round : rounds)
        pieces.push_back(&nb::cast<const GrownTrees&>(round).arrays());
    return std::make_unique<Forest>(join(pieces, n_parallel), n_features, n_outputs);
}

void bind_collected_trees(nb::module_& m) {
    nb::class_<CollectedTrees>(m, "CollectedTrees",
                               "Collects the trees of a training, round after round.")
        .def(nb::init<std::int64_t, std::int64_t, const Forest*, std::int64_t>(),
             nb::arg("n_features"), nb::arg("n_outputs"), nb::arg("before").none() = nb::none(),
             nb::arg("n_parallel") = 1)
        .def(
            "add", [](CollectedTrees& self, const GrownTrees& trees) { self.add(trees.arrays()); },
            nb::arg("trees"), "Append trees; the caller may then drop them.")
        .def_prop_ro("n_iterations", &CollectedTrees::n_iterations)
        .def("forest", &CollectedTrees::forest, nb::arg("n_iterations"),
             "A forest of the first iterations; a forest of all of them shares the arrays.");
}

void bind_linear_scores(nb::module_& m) {
    m.def(
        "linear_scores",
        [](const Array2<double>& columns, const Array2<double>& coefficients,
           const Array1<double>& centers) {
            const std::size_t n_rows = columns.shape(0), n_outputs = centers.size();
            if (coefficients.shape(0) != n_outputs || coefficients.shape(1) != columns.shape(1))
                throw InputError(
                    "coefficients must have one row per center and one column per column.");
            std::vector<double> scores(n_rows * n_outputs);
            {
                const ReleasedGil released;
                linear_scores(columns.data(), static_cast<std::int64_t>(n_rows),
                              static_cast<std::int64_t>(columns.shape(1)), coefficients.data(),
                              centers.data(), static_cast<std::int64_t>(n_outputs), scores.data());
            }
            return to_numpy(std::move(scores), {n_rows, n_outputs});
        },
        nb::arg("columns"), nb::arg("coefficients"), nb::arg("centers"),
        "Scores [n, outputs] of linear models; the terms of a row are added from left to right.");
}

} // namespace

void bind_model(nb::module_& m) {
    bind_linear_scores(m);
    m.def("tree_array_types", &tree_array_types, nb::arg("of") = "trees",
          "The name and entry type of every array of a forest. of='sets' or 'linear': the "
          "additional arrays of forests with level sets or linear leaves.");

    m.def(
        "sort_rows",
        [](const Out2<double>& values) {
            const ReleasedGil released;
            sort_rows(values.data(), static_cast<std::int64_t>(values.shape(0)),
                      static_cast<std::int64_t>(values.shape(1)));
        },
        nb::arg("values").noconvert(), "Sort each row, in place.");

    nb::class_<Forest>(m, "Forest", "Immutable trees as flat arrays.")
        .def(
            "__init__",
            [](Forest* self, std::int64_t n_features, std::int64_t n_outputs,
               const nb::dict& arrays) {
                new (self) Forest(read_trees(arrays), n_features, n_outputs);
            },
            nb::arg("n_features"), nb::arg("n_outputs"), nb::arg("arrays"),
            "Raises ModelFileError unless the arrays describe a forest.")
        .def_static("from_grown", &from_grown, nb::arg("rounds"), nb::arg("n_features"),
                    nb::arg("n_outputs"), nb::arg("before").none() = nb::none(),
                    nb::arg("n_parallel") = 1,
                    "Concatenate the trees of several rounds, after those of a forest.")
        .def_prop_ro("n_features", &Forest::n_features)
        .def_prop_ro("n_outputs", &Forest::n_outputs)
        .def_prop_ro("n_trees", &Forest::n_trees)
        .def_prop_ro("n_iterations", &Forest::n_iterations)
        .def_prop_ro("leaf_width", &Forest::leaf_width, "Number of outputs of a leaf: 1, or all.")
        .def_prop_ro("trees_per_iteration", &Forest::trees_per_iteration)
        .def_prop_ro("has_linear_leaves",
                     [](const Forest& self) { return self.arrays().has_linear_leaves(); })
        .def_prop_ro(
            "n_parallel", [](const Forest& self) { return self.arrays().n_parallel; },
            "Number of parallel trees per output in an iteration.")
        .def(
            "arrays",
            [](nb::handle_t<Forest> self) {
                return viewed_trees(nb::cast<const Forest&>(self).arrays(), self);
            },
            "Read-only views of the arrays, by name; value is [n_nodes], or [n_nodes, n_outputs] "
            "if leaves have all outputs.")
        .def(
            "slice",
            [](const Forest& self, std::int64_t begin, std::int64_t end) {
                return std::make_unique<Forest>(self.slice(begin, end), self.n_features(),
                                                self.n_outputs());
            },
            nb::arg("begin"), nb::arg("end"), "A new forest of the iterations begin to end.")
        .def(
            "counting",
            [](const Forest& self, const Array1<double>& factors) {
                return std::make_unique<Forest>(self, std::span(factors.data(), factors.size()));
            },
            nb::arg("factors").noconvert(),
            "A forest that multiplies each iteration by a factor and shares the arrays. Not for "
            "trees with linear leaves.")
        .def("add_matrix", &add_matrix, nb::arg("matrix"), nb::arg("out"), nb::arg("begin"),
             nb::arg("end"), nb::arg("n_threads"),
             "Add the trees of a range of iterations to scores [n, n_outputs].")
        .def("add_columns", &add_columns, nb::arg("columns"), nb::arg("out"), nb::arg("begin"),
             nb::arg("end"), nb::arg("n_threads"),
             "The same for one array per feature, of any numeric types.")
        .def("add_sparse", &add_sparse, nb::arg("matrix"), nb::arg("out"), nb::arg("begin"),
             nb::arg("end"), nb::arg("n_threads"),
             "The same for the rows of a sparse matrix: (values, indices, indptr, absent).")
        .def("apply_matrix", &apply_matrix, nb::arg("matrix"), nb::arg("begin"), nb::arg("end"),
             nb::arg("n_threads"),
             "The leaf of each row in each tree, as node number within the tree.")
        .def("apply_columns", &apply_columns, nb::arg("columns"), nb::arg("begin"), nb::arg("end"),
             nb::arg("n_threads"), "The same for one array per feature, of any numeric types.")
        .def("apply_sparse", &apply_sparse, nb::arg("matrix"), nb::arg("begin"), nb::arg("end"),
             nb::arg("n_threads"), "The same for the rows of a sparse matrix.");
    bind_collected_trees(m);
}

} // namespace ceiba
