// Forests, and predictions from arrays where they lie.
#include "base/errors.hpp"
#include "bind/arrays.hpp"
#include "bind/gil.hpp"
#include "bind/held_array.hpp"
#include "leaf/grown_trees.hpp"
#include "model/forest.hpp"

#include <nanobind/stl/unique_ptr.h>

#include <algorithm>
#include <deque>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace ceiba {

namespace {

// From here on waking up another Python thread costs less than what it may gain.
constexpr std::int64_t kRowsWorthReleasing = 16;

RowSource matrix_rows(const HeldArray& matrix, std::int64_t n_features) {
    const bool fits = matrix.n_dimensions() == 2 && matrix.shape(1) == n_features;
    if (!fits) throw InputError("The matrix must have " + std::to_string(n_features) + " columns.");
    const NumberType type = matrix.type();
    if (type != NumberType::float32 && type != NumberType::float64)
        throw nb::type_error("The matrix must be float32 or float64.");
    return {matrix.data(), matrix.shape(0), matrix.stride(0), matrix.stride(1), type};
}

// Keeps the views of all columns alive while they are read.
struct Columns {
    Columns(const nb::sequence& arrays, std::int64_t n_features) {
        for (const nb::handle array : arrays) {
            const HeldArray& buffer = buffers.emplace_back(array);
            const bool fits =
                buffer.n_dimensions() == 1 && buffer.shape(0) == buffers.front().shape(0);
            if (!fits) throw InputError("Columns must have one dimension and the same length.");
            views.push_back(
                {static_cast<const std::byte*>(buffer.data()), buffer.stride(0), buffer.type()});
        }
        if (static_cast<std::int64_t>(views.size()) != n_features)
            throw InputError("There must be " + std::to_string(n_features) + " columns. Got " +
                             std::to_string(views.size()) + ".");
    }

    RowSource rows() const { return {views, buffers.empty() ? 0 : buffers.front().shape(0)}; }

    std::deque<HeldArray> buffers;
    std::vector<ColumnView> views;
};

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

nb::ndarray<nb::numpy, std::int32_t> apply_rows(const Forest& forest, const RowSource& rows,
                                                std::int64_t begin, std::int64_t end,
                                                int n_threads) {
    const auto n_trees =
        static_cast<std::size_t>(std::max<std::int64_t>(0, end - begin) * forest.n_outputs());
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

// ---- arrays in and out ----

template <class T>
struct NamedArray {
    const char* name;
    std::vector<T> TreeArrays::* member;
};

// The one list of the arrays of a forest, in the order of the model file.
template <class Visit>
void for_each_array(Visit visit) {
    visit(NamedArray<std::int64_t>{"tree_offsets", &TreeArrays::tree_offsets});
    visit(NamedArray<std::int32_t>{"feature", &TreeArrays::feature});
    visit(NamedArray<double>{"threshold", &TreeArrays::threshold});
    visit(NamedArray<std::int32_t>{"left", &TreeArrays::left});
    visit(NamedArray<std::int32_t>{"right", &TreeArrays::right});
    visit(NamedArray<std::uint8_t>{"missing_left", &TreeArrays::missing_left});
    visit(NamedArray<double>{"value", &TreeArrays::value});
    visit(NamedArray<double>{"gain", &TreeArrays::gain});
    visit(NamedArray<double>{"cover", &TreeArrays::cover});
    visit(NamedArray<double>{"count", &TreeArrays::count});
}

TreeArrays read_arrays(const nb::dict& given) {
    TreeArrays arrays;
    for_each_array([&]<class T>(const NamedArray<T>& entry) {
        const std::string name = entry.name;
        if (!given.contains(entry.name))
            throw ModelFileError("The model has no array called " + name + ".");
        Array1<T> array;
        if (!nb::try_cast<Array1<T>>(given[entry.name], array, false))
            throw ModelFileError("The array " + name +
                                 " of the model has the wrong type or shape.");
        (arrays.*entry.member).assign(array.data(), array.data() + array.shape(0));
    });
    return arrays;
}

// Views that keep the forest alive and cannot be written to.
nb::dict forest_arrays(nb::handle_t<Forest> self) {
    const Forest& forest = nb::cast<const Forest&>(self);
    nb::dict out;
    for_each_array([&]<class T>(const NamedArray<T>& entry) {
        const std::vector<T>& values = forest.arrays().*entry.member;
        static const T nothing{}; // numpy wants an address even for no elements
        const T* data = values.empty() ? &nothing : values.data();
        out[entry.name] = nb::ndarray<nb::numpy, const T>(data, {values.size()}, self);
    });
    return out;
}

std::unique_ptr<Forest> from_grown(const nb::sequence& rounds, std::int64_t n_features,
                                   std::int64_t n_outputs, const Forest* before) {
    std::vector<const TreeArrays*> pieces;
    if (before != nullptr) {
        if (before->n_features() != n_features || before->n_outputs() != n_outputs)
            throw InputError("the forest before must have the same features and outputs.");
        pieces.push_back(&before->arrays());
    }
    for (const nb::handle round : rounds)
        pieces.push_back(&nb::cast<const GrownTrees&>(round).arrays());
    return std::make_unique<Forest>(join(pieces), n_features, n_outputs);
}

} // namespace

void bind_model(nb::module_& m) {
    nb::class_<Forest>(m, "Forest", "Trees as flat arrays, checked and never changed again.")
        .def(
            "__init__",
            [](Forest* self, std::int64_t n_features, std::int64_t n_outputs,
               const nb::dict& arrays) {
                new (self) Forest(read_arrays(arrays), n_features, n_outputs);
            },
            nb::arg("n_features"), nb::arg("n_outputs"), nb::arg("arrays"),
            "Raises ModelFileError unless the arrays describe a forest.")
        .def_static("from_grown", &from_grown, nb::arg("rounds"), nb::arg("n_features"),
                    nb::arg("n_outputs"), nb::arg("before").none() = nb::none(),
                    "The trees of several rounds, one after the other, after those of a forest.")
        .def_prop_ro("n_features", &Forest::n_features)
        .def_prop_ro("n_outputs", &Forest::n_outputs)
        .def_prop_ro("n_trees", &Forest::n_trees)
        .def_prop_ro("n_iterations", &Forest::n_iterations)
        .def("arrays", &forest_arrays, "Read-only views of the arrays, by name.")
        .def(
            "slice",
            [](const Forest& self, std::int64_t begin, std::int64_t end) {
                return std::make_unique<Forest>(self.slice(begin, end), self.n_features(),
                                                self.n_outputs());
            },
            nb::arg("begin"), nb::arg("end"), "A new forest of the iterations begin to end.")
        .def("add_matrix", &add_matrix, nb::arg("matrix"), nb::arg("out"), nb::arg("begin"),
             nb::arg("end"), nb::arg("n_threads"),
             "Add the trees of a range of iterations to scores [n, n_outputs].")
        .def("add_columns", &add_columns, nb::arg("columns"), nb::arg("out"), nb::arg("begin"),
             nb::arg("end"), nb::arg("n_threads"),
             "The same for one array per feature, of any numeric types.")
        .def("apply_matrix", &apply_matrix, nb::arg("matrix"), nb::arg("begin"), nb::arg("end"),
             nb::arg("n_threads"), "The leaf of each row in each tree, as node of the tree.")
        .def("apply_columns", &apply_columns, nb::arg("columns"), nb::arg("begin"), nb::arg("end"),
             nb::arg("n_threads"), "The same for one array per feature, of any numeric types.");
}

} // namespace ceiba
