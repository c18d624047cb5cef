#include "base/errors.hpp"
#include "bind/arrays.hpp"
#include "bind/gil.hpp"
#include "bind/held_array.hpp"
#include "bind/held_sparse.hpp"
#include "bind/held_table.hpp"
#include "data/binning/bin_mapper.hpp"
#include "data/binning/bin_values.hpp"
#include "data/coded/binned.hpp"
#include "data/coded/code_bytes.hpp"
#include "data/coded/ranked.hpp"
#include "data/coded/read_codes.hpp"
#include "data/column.hpp"
#include "data/regressors.hpp"
#include "data/sparse/sparse_rows.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace ceiba {
namespace {

std::shared_ptr<TransposedRows> transpose(const nb::tuple& matrix, std::int64_t n_columns,
                                          int n_threads) {
    const HeldSparse held(matrix, n_columns);
    const ReleasedGil released;
    return std::const_pointer_cast<TransposedRows>(TransposedRows::of(held.rows(), n_threads));
}

std::shared_ptr<BinMapper> find_edges_of(const nb::list& columns,
                                         const std::optional<Array1<double>>& weights, int max_bins,
                                         double min_data_in_bin, int n_threads,
                                         const std::vector<std::int64_t>& n_levels) {
    if (max_bins < 2 || max_bins > 65535)
        throw InputError("max_bins must be between 2 and 65535. Got " + std::to_string(max_bins) +
                         ".");
    const HeldTable table(columns);
    if (weights && static_cast<std::int64_t>(weights->size()) != table.n_rows())
        throw InputError("There must be one weight for each row. Got " +
                         std::to_string(weights->size()) + " weights for " +
                         std::to_string(table.n_rows()) + " rows.");
    const double* weight = weights ? weights->data() : nullptr;
    const ReleasedGil released;
    return std::const_pointer_cast<BinMapper>(
        BinMapper::find(table.columns(), weight, {max_bins, min_data_in_bin}, n_levels, n_threads));
}

std::shared_ptr<BinnedMatrix> build_binned(const std::shared_ptr<BinMapper>& mapper,
                                           const nb::list& columns, int n_threads, bool lists) {
    const HeldTable table(columns);
    const ReleasedGil released;
    return std::const_pointer_cast<BinnedMatrix>(
        BinnedMatrix::build(mapper, table.columns(), n_threads, lists));
}

std::shared_ptr<RankedColumns> build_ranked(const nb::list& columns, int n_threads) {
    const HeldTable table(columns);
    const ReleasedGil released;
    return std::const_pointer_cast<RankedColumns>(RankedColumns::build(table.columns(), n_threads));
}

int check_feature(int feature, int n_features) {
    if (feature < 0 || feature >= n_features)
        throw nb::index_error(("There are " + std::to_string(n_features) +
                               " features. Asked for feature " + std::to_string(feature) + ".")
                                  .c_str());
    return feature;
}

nb::ndarray<nb::numpy, std::uint16_t> codes_of(const BinnedMatrix& matrix, int feature,
                                               std::int64_t begin, std::optional<std::int64_t> n) {
    check_feature(feature, matrix.n_features());
    const std::int64_t count = n.value_or(matrix.n_rows() - begin);
    if (begin < 0 || count < 0 || begin + count > matrix.n_rows())
        throw InputError("The rows must be rows of the table.");
    std::vector<std::uint16_t> codes(static_cast<std::size_t>(count));
    {
        const ReleasedGil released;
        read_codes(matrix, feature, begin, count, codes.data());
    }
    return to_numpy(std::move(codes));
}

void bind_ranked(nb::module_& m) {
    const auto copied = [](const auto& range) {
        using Value = std::remove_cv_t<std::remove_reference_t<decltype(range[0])>>;
        return to_numpy(std::vector<Value>(range.begin(), range.end()));
    };
    nb::class_<RankedColumns>(m, "RankedColumns", "A table with presorted columns.")
        .def_static("build", &build_ranked, nb::arg("columns"), nb::arg("n_threads"))
        .def_prop_ro("n_rows", &RankedColumns::n_rows)
        .def_prop_ro("n_features", &RankedColumns::n_features)
        .def_prop_ro("n_bytes", &RankedColumns::n_bytes)
        .def(
            "values",
            [=](const RankedColumns& ranked, int feature) {
                return copied(ranked.values(check_feature(feature, ranked.n_features())));
            },
            nb::arg("feature"), "The distinct values of one column, ascending.")
        .def(
            "ranks",
            [=](const RankedColumns& ranked, int feature) {
                const auto* ranks = ranked.ranks(check_feature(feature, ranked.n_features()));
                return copied(std::span(ranks, static_cast<std::size_t>(ranked.n_rows())));
            },
            nb::arg("feature"), "The rank of every row's value; 2^32 - 1 if it is missing.")
        .def(
            "order",
            [=](const RankedColumns& ranked, int feature) {
                return copied(ranked.order(check_feature(feature, ranked.n_features())));
            },
            nb::arg("feature"), "Rows by value, equal values by row, without missing ones.")
        .def(
            "starts",
            [=](const RankedColumns& ranked, int feature) {
                return copied(ranked.starts(check_feature(feature, ranked.n_features())));
            },
            nb::arg("feature"), "Where each value begins in the order, and the end.");
}

BinValues values_of_bins(const BinMapper& mapper, const Regressors& regressors,
                         const std::optional<Array1<double>>& weights, int n_threads) {
    if (regressors.n_features() != mapper.n_features() ||
        (weights && static_cast<std::int64_t>(weights->shape(0)) != regressors.n_rows()))
        throw InputError("Bin values need the columns of the mapper and a weight for each row.");
    const ReleasedGil released;
    std::vector<Column> columns(static_cast<std::size_t>(mapper.n_features()));
    for (const std::int32_t f : regressors.features())
        columns[static_cast<std::size_t>(f)] =
            Column({{regressors.column(f), sizeof(double), regressors.n_rows()}});
    return bin_values(mapper, columns, weights ? weights->data() : nullptr, n_threads);
}

void bind_regressors(nb::module_& m) {
    nb::class_<Regressors>(m, "Regressors", "Raw numeric columns for linear leaves.")
        .def_static(
            "build",
            [](const nb::list& columns, std::vector<std::int32_t> features, int n_threads) {
                const HeldTable table(columns);
                const ReleasedGil released;
                return std::const_pointer_cast<Regressors>(
                    Regressors::build(table.columns(), std::move(features), n_threads));
            },
            nb::arg("columns"), nb::arg("features"), nb::arg("n_threads"),
            "features: the columns to read, ascending.")
        .def_prop_ro("n_rows", &Regressors::n_rows)
        .def_prop_ro("features", [](const Regressors& self) {
            return std::vector<std::int32_t>(self.features().begin(), self.features().end());
        });
}

void bind_sparse_columns(nb::module_& m) {
    nb::class_<TransposedRows>(m, "SparseColumns",
                               "The columns of a sparse matrix, transposed from its rows.")
        .def_static("of_rows", &transpose, nb::arg("matrix"), nb::arg("n_columns"),
                    nb::arg("n_threads"),
                    "matrix: (values, indices, indptr, absent), where absent is the value of the "
                    "other entries.")
        .def_prop_ro("n_rows", &TransposedRows::n_rows)
        .def_prop_ro("n_columns", &TransposedRows::n_columns);
}

} // namespace

void bind_data(nb::module_& m) {
    bind_regressors(m);
    bind_sparse_columns(m);

    nb::class_<BinMapper>(m, "BinMapper", "The bin edges of every column.")
        .def(nb::init<std::vector<std::vector<double>>, std::vector<bool>,
                      std::vector<std::int64_t>>(),
             nb::arg("edges"), nb::arg("has_missing"),
             nb::arg("n_levels") = std::vector<std::int64_t>{})
        .def_static(
            "find", &find_edges_of, nb::arg("columns"), nb::arg("weights").none(),
            nb::arg("max_bins"), nb::arg("min_data_in_bin"), nb::arg("n_threads"),
            nb::arg("n_levels") = std::vector<std::int64_t>{},
            "Choose edges from all rows. columns: list of columns, each a list of 1-D chunks, or a "
            "list of 2-D row blocks. n_levels: one per column, 0 for numeric columns.")
        .def("values", &values_of_bins, nb::arg("regressors"), nb::arg("weights").none(),
             nb::arg("n_threads"),
             "The regressor values of each column's bins: centered and scaled means, 0 for missing "
             "values. Empty for columns that cannot be regressors.")
        .def_prop_ro("n_features", &BinMapper::n_features)
        .def(
            "edges",
            [](const BinMapper& mapper, int feature) {
                const auto edges = mapper.edges(check_feature(feature, mapper.n_features()));
                return to_numpy(std::vector<double>(edges.begin(), edges.end()));
            },
            nb::arg("feature"))
        .def(
            "has_missing",
            [](const BinMapper& mapper, int feature) {
                return mapper.has_missing(check_feature(feature, mapper.n_features()));
            },
            nb::arg("feature"))
        .def(
            "n_bins",
            [](const BinMapper& mapper, int feature) {
                return mapper.n_bins(check_feature(feature, mapper.n_features()));
            },
            nb::arg("feature"),
            "Number of bins, including that of missing values if the column had any.")
        .def(
            "n_levels",
            [](const BinMapper& mapper, int feature) {
                return mapper.n_levels(check_feature(feature, mapper.n_features()));
            },
            nb::arg("feature"), "Number of levels of a category; 0 for a numeric column.");

    nb::class_<BinnedMatrix>(m, "BinnedMatrix", "A binned table.")
        .def_static("build", &build_binned, nb::arg("mapper"), nb::arg("columns"),
                    nb::arg("n_threads"), nb::arg("lists") = true,
                    "lists: columns may become lists of their unusual rows.")
        .def_static(
            "least_bytes",
            [](const BinMapper& mapper, const nb::list& columns, bool lists) {
                const HeldTable table(columns);
                const ReleasedGil released;
                return least_code_bytes(mapper, table.columns(), lists);
            },
            nb::arg("mapper"), nb::arg("columns"), nb::arg("lists"),
            "Memory that build() takes at least, known after a look at some rows.")
        .def_prop_ro("n_rows", &BinnedMatrix::n_rows)
        .def_prop_ro("n_features", &BinnedMatrix::n_features)
        .def_prop_ro("n_bytes", &BinnedMatrix::n_bytes)
        .def("column", &codes_of, nb::arg("feature"), nb::arg("begin") = 0,
             nb::arg("n") = nb::none(), "The codes of one column, in some rows.")
        .def(
            "usual_code",
            [](const BinnedMatrix& matrix, int feature) {
                return usual_code(matrix, check_feature(feature, matrix.n_features()));
            },
            nb::arg("feature"),
            "The code that most rows have, if it decides how the column is stored; otherwise -1.");

    bind_ranked(m);
}

} // namespace ceiba
