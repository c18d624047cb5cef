#include "data/target_statistics.hpp"

#include "base/errors.hpp"
#include "bind/arrays.hpp"
#include "bind/gil.hpp"
#include "bind/held_array.hpp"
#include "parallel/pool.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/vector.h>

#include <deque>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ceiba {
namespace {

// Columns that lie apart, each a 1-D array or a list of the 1-D chunks of its rows.
class HeldColumns {
  public:
    explicit HeldColumns(const nb::list& columns) {
        for (nb::handle column : columns) {
            std::vector<ColumnChunk> chunks;
            if (nb::isinstance<nb::list>(column)) {
                for (nb::handle chunk : nb::cast<nb::list>(column)) chunks.push_back(hold(chunk));
            } else {
                chunks.push_back(hold(column));
            }
            columns_.emplace_back(std::move(chunks));
        }
        for (const Column& column : columns_)
            if (column.n_rows() != n_rows())
                throw InputError("All columns must have the same number of rows.");
    }
    const std::vector<Column>& columns() const { return columns_; }
    std::int64_t n_rows() const { return columns_.empty() ? 0 : columns_[0].n_rows(); }

  private:
    ColumnChunk hold(nb::handle array) {
        const HeldArray& buffer = held_.emplace_back(array);
        if (buffer.n_dimensions() != 1) throw InputError("A column must have one dimension.");
        return {buffer.data(), buffer.stride(0), buffer.shape(0), buffer.type()};
    }

    std::deque<HeldArray> held_;
    std::vector<Column> columns_;
};

template <class T>
std::span<const T> span_of(const Array1<T>& array) {
    return {array.data(), array.size()};
}

std::pair<nb::ndarray<nb::numpy, std::uint64_t>, nb::ndarray<nb::numpy, std::int32_t>>
keys_of(const nb::list& columns, std::vector<std::int64_t> n_levels) {
    const HeldColumns table(columns);
    const KeyMaker maker(std::move(n_levels));
    if (maker.n_columns() != table.columns().size())
        throw InputError("There must be a number of levels for each column.");
    KeyedRows rows;
    {
        const ReleasedGil released;
        std::vector<const Column*> own;
        for (const Column& column : table.columns()) own.push_back(&column);
        rows = key_rows(maker, own);
    }
    return {to_numpy(std::move(rows.keys)), to_numpy(std::move(rows.places))};
}

// The targets of a training, and the places of its rows among the keys of each combination.
struct Rows {
    Rows(const std::vector<Array1<std::int32_t>>& places, const std::vector<std::int64_t>& n_keys,
         const Array2<std::int64_t>& targets, const std::optional<Array1<std::int64_t>>& weights) {
        rows.n_rows = static_cast<std::int64_t>(targets.shape(1));
        rows.targets = {targets.data(), targets.size()};
        if (weights) rows.weights = span_of(*weights);
        bool sound = places.size() == n_keys.size() &&
                     (!weights || weights->size() == targets.shape(1)) && rows.n_rows <= INT32_MAX;
        for (std::size_t k = 0; sound && k < places.size(); ++k) {
            sound = places[k].size() == targets.shape(1) && n_keys[k] >= 0;
            for (std::size_t i = 0; sound && i < places[k].size(); ++i)
                sound = places[k].data()[i] >= kNoPlace && places[k].data()[i] < n_keys[k];
        }
        if (!sound) throw InputError("Targets, weights and places of levels must fit each other.");
    }
    TargetRows rows;
};

nb::list ordered(const std::vector<Array1<std::int32_t>>& places,
                 const std::vector<std::int64_t>& n_keys, const Array2<std::int64_t>& targets,
                 const std::optional<Array1<std::int64_t>>& weights, double target_unit,
                 double weight_unit, double strength, const std::vector<double>& priors,
                 std::uint64_t seed, int n_orders, int n_threads) {
    const Rows given(places, n_keys, targets, weights);
    const StatisticsRule rule{strength, priors, target_unit, weight_unit};
    const std::size_t n_columns = targets.shape(0) * rule.n_priors(), n_rows = targets.shape(1);
    std::vector<std::vector<double>> found(places.size());
    {
        const ReleasedGil released;
        const auto orders = row_orders(seed, n_orders, given.rows.n_rows, n_threads);
        const auto n_tasks = static_cast<std::int64_t>(places.size());
        const auto work = static_cast<std::int64_t>(n_columns * n_rows) * n_tasks;
        parallel_for(useful_threads(n_threads, work), n_tasks, [&](std::int64_t k) {
            const auto place = static_cast<std::size_t>(k);
            found[place].resize(n_columns * n_rows);
            ordered_statistics(span_of(places[place]), static_cast<std::size_t>(n_keys[place]),
                               given.rows, rule, orders, found[place].data());
        });
    }
    nb::list out;
    for (auto& values : found) out.append(to_numpy(std::move(values), {n_columns, n_rows}));
    return out;
}

std::pair<nb::ndarray<nb::numpy, std::int64_t>, nb::ndarray<nb::numpy, std::int64_t>>
total(const Array1<std::int32_t>& places, std::int64_t n_keys, const Array2<std::int64_t>& targets,
      const std::optional<Array1<std::int64_t>>& weights) {
    const Rows given({places}, {n_keys}, targets, weights);
    TotalStatistics totals;
    {
        const ReleasedGil released;
        totals = total_statistics(span_of(places), static_cast<std::size_t>(n_keys), given.rows);
    }
    const std::size_t n = static_cast<std::size_t>(n_keys);
    return {to_numpy(std::move(totals.weights)),
            to_numpy(std::move(totals.targets), {targets.shape(0), n})};
}

nb::ndarray<nb::numpy, double> look_up(const StatisticsTables& tables, const nb::list& columns,
                                       int n_threads) {
    const HeldColumns table(columns);
    const auto n_rows = static_cast<std::size_t>(table.n_rows());
    std::vector<double> out(tables.n_columns() * n_rows);
    {
        const ReleasedGil released;
        tables.look_up(table.columns(), table.n_rows(), n_threads, out.data());
    }
    return to_numpy(std::move(out), {tables.n_columns(), n_rows});
}

} // namespace

void bind_target_statistics(nb::module_& m) {
    m.def("key_levels", &keys_of, nb::arg("columns"), nb::arg("n_levels"),
          "The different keys of the rows, increasing, and the place of each row's key among them; "
          "-1 where a level is not known.");
    m.def(
        "ordered_statistics", &ordered, nb::arg("places"), nb::arg("n_keys"), nb::arg("targets"),
        nb::arg("weights").none(), nb::arg("target_unit"), nb::arg("weight_unit"),
        nb::arg("strength"), nb::arg("priors"), nb::arg("seed"), nb::arg("n_orders"),
        nb::arg("n_threads"),
        "For each combination the statistics [targets x priors, rows], each row from those before "
        "it, averaged over the orders. Without priors, the mean of the rows before is one.");
    m.def("total_statistics", &total, nb::arg("places"), nb::arg("n_keys"), nb::arg("targets"),
          nb::arg("weights").none(),
          "The weights of all rows of each key, and the sums of their targets.");
    nb::class_<StatisticsTables>(m, "StatisticsTables",
                                 "What levels, and combinations of them, stand for at predict.")
        .def(nb::init<>())
        .def(
            "add",
            [](StatisticsTables& tables, std::vector<std::int32_t> sources,
               std::vector<std::int64_t> n_levels, const Array1<std::uint64_t>& keys,
               const Array2<double>& values) {
                if (values.shape(1) != keys.size() + 1)
                    throw ModelFileError("its statistics do not fit the keys of their levels.");
                tables.add(std::move(sources), std::move(n_levels), span_of(keys),
                           {values.data(), values.data() + values.size()});
            },
            nb::arg("sources"), nb::arg("n_levels"), nb::arg("keys"), nb::arg("values"),
            "A combination: its columns, and a number for each derived column and key, and one "
            "more "
            "for what is not known.")
        .def_prop_ro("n_columns", &StatisticsTables::n_columns)
        .def("look_up", &look_up, nb::arg("columns"), nb::arg("n_threads"),
             "The derived columns [n_columns, n_rows] of a table.");
}

} // namespace ceiba
