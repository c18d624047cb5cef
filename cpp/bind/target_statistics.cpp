#include "data/encoding/target_statistics.hpp"

#include "base/errors.hpp"
#include "bind/arrays.hpp"
#include "bind/gil.hpp"
#include "bind/held_array.hpp"
#include "data/encoding/explained_share.hpp"
#include "parallel/pool.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <atomic>
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

// The keys of several combinations of the columns: of each, its keys and the places of rows.
nb::list keys_of(const nb::list& columns, const std::vector<std::int64_t>& n_levels,
                 const std::vector<std::vector<std::size_t>>& combinations, int n_threads) {
    const HeldColumns table(columns);
    std::vector<KeyMaker> makers;
    std::vector<std::vector<const Column*>> own(combinations.size());
    for (std::size_t k = 0; k < combinations.size(); ++k) {
        std::vector<std::int64_t> levels;
        for (const std::size_t j : combinations[k]) {
            if (j >= n_levels.size() || j >= table.columns().size())
                throw InputError("There must be a number of levels for each column.");
            levels.push_back(n_levels[j]);
            own[k].push_back(&table.columns()[j]);
        }
        makers.emplace_back(std::move(levels));
    }
    std::vector<KeyedRows> found(combinations.size());
    {
        const ReleasedGil released;
        const std::int64_t n_tasks = std::ssize(found);
        parallel_for(useful_threads(n_threads, 4 * table.n_rows() * n_tasks), n_tasks,
                     [&](std::int64_t task) {
                         const auto k = static_cast<std::size_t>(task);
                         found[k] = key_rows(makers[k], own[k]);
                     });
    }
    nb::list out;
    for (KeyedRows& rows : found)
        out.append(
            nb::make_tuple(to_numpy(std::move(rows.keys)), to_numpy(std::move(rows.places))));
    return out;
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
            std::int32_t least = kNoPlace, most = kNoPlace;
            for (const std::int32_t place : span_of(places[k])) {
                least = std::min(least, place);
                most = std::max(most, place);
            }
            sound = sound && least >= kNoPlace && most < n_keys[k];
        }
        if (!sound) throw InputError("Targets, weights and places of levels must fit each other.");
    }
    TargetRows rows;
};

// Permutations of the training rows, shared by all of their statistics.
struct RowPermutations {
    std::vector<RowPermutation> permutations;
    std::int64_t n_rows = 0;
};

// Memory on pages of its own becomes an array that owns it.
nb::ndarray<nb::numpy, double> own_pages(Buffer<double>&& values,
                                         std::initializer_list<std::size_t> shape) {
    auto* owned = new Buffer<double>(std::move(values));
    nb::capsule owner(owned, [](void* p) noexcept { delete static_cast<Buffer<double>*>(p); });
    return nb::ndarray<nb::numpy, double>(owned->data(), shape.size(), shape.begin(), owner);
}

// Calls work(k, buffers) for every combination.
template <class Work>
void each_with_buffers(std::size_t n, int n_threads, Work&& work) {
    std::atomic<std::size_t> next{0};
    parallel_for(n_threads, n_threads, [&](std::int64_t) {
        StatisticsBuffers buffers;
        for (std::size_t k; (k = next.fetch_add(1, std::memory_order_relaxed)) < n;)
            work(k, buffers);
    });
}

nb::list ordered(const std::vector<Array1<std::int32_t>>& places,
                 const std::vector<Array1<double>>& key_weights,
                 const Array2<std::int64_t>& targets,
                 const std::optional<Array1<std::int64_t>>& weights,
                 const std::vector<double>& target_units, double weight_unit, double strength,
                 const std::vector<double>& priors, const RowPermutations& permutations,
                 int n_threads) {
    std::vector<std::int64_t> n_keys;
    for (const auto& own : key_weights) n_keys.push_back(static_cast<std::int64_t>(own.size()));
    const Rows given(places, n_keys, targets, weights);
    if (permutations.n_rows != given.rows.n_rows || target_units.size() != targets.shape(0))
        throw InputError("Permutations and units must match the rows and targets.");
    const StatisticsRule rule{strength, priors, target_units, weight_unit};
    const std::size_t n_columns = targets.shape(0) * rule.n_priors(), n_rows = targets.shape(1);
    std::vector<Buffer<double>> found(places.size());
    {
        const ReleasedGil released;
        const auto work = static_cast<std::int64_t>(n_columns * n_rows * places.size());
        each_with_buffers(
            places.size(), useful_threads(n_threads, work),
            [&](std::size_t k, StatisticsBuffers& buffers) {
                found[k].need((n_columns + 1) * n_rows);
                ordered_statistics(span_of(places[k]), key_weights[k].size(), given.rows, rule,
                                   permutations.permutations, buffers, found[k].data());
                const double* of_key = key_weights[k].data();
                std::transform(places[k].data(), places[k].data() + n_rows,
                               found[k].data() + n_columns * n_rows, [of_key](std::int32_t place) {
                                   return place == kNoPlace ? 0.0 : of_key[place];
                               });
            });
    }
    nb::list out;
    for (auto& values : found) out.append(own_pages(std::move(values), {n_columns + 1, n_rows}));
    return out;
}

nb::list total(const std::vector<Array1<std::int32_t>>& places,
               const std::vector<std::int64_t>& n_keys, const Array2<std::int64_t>& targets,
               const std::optional<Array1<std::int64_t>>& weights, int n_threads) {
    const Rows given(places, n_keys, targets, weights);
    std::vector<TotalStatistics> totals(places.size());
    {
        const ReleasedGil released;
        const std::int64_t n_tasks = std::ssize(places);
        parallel_for(useful_threads(n_threads, n_tasks * given.rows.n_rows), n_tasks,
                     [&](std::int64_t task) {
                         const auto k = static_cast<std::size_t>(task);
                         totals[k] = total_statistics(
                             span_of(places[k]), static_cast<std::size_t>(n_keys[k]), given.rows);
                     });
    }
    nb::list out;
    for (std::size_t k = 0; k < totals.size(); ++k)
        out.append(
            nb::make_tuple(to_numpy(std::move(totals[k].weights)),
                           to_numpy(std::move(totals[k].targets),
                                    {targets.shape(0), static_cast<std::size_t>(n_keys[k])})));
    return out;
}

std::vector<double> shares(const std::vector<Array2<double>>& own,
                           const std::vector<std::vector<Array2<double>>>& others,
                           const Array2<std::int64_t>& targets,
                           const std::optional<Array1<std::int64_t>>& weights,
                           const std::vector<double>& target_units, double weight_unit,
                           std::size_t n_priors, bool are_classes, int n_threads) {
    const Rows given({}, {}, targets, weights);
    const auto fits = [&](const Array2<double>& values) {
        return values.shape(0) == targets.shape(0) * n_priors + 1 &&
               values.shape(1) == targets.shape(1);
    };
    bool sound = own.size() == others.size();
    for (std::size_t k = 0; sound && k < own.size(); ++k)
        sound = fits(own[k]) && std::all_of(others[k].begin(), others[k].end(), fits);
    sound = sound && target_units.size() == targets.shape(0);
    if (!sound) throw InputError("Statistics must fit the targets, and each have its others.");
    std::vector<double> found(own.size());
    {
        const ReleasedGil released;
        const std::int64_t n_tasks = std::ssize(own);
        parallel_for(useful_threads(n_threads, 4 * n_tasks * given.rows.n_rows), n_tasks,
                     [&](std::int64_t task) {
                         const auto k = static_cast<std::size_t>(task);
                         std::vector<const double*> parts;
                         for (const auto& other : others[k]) parts.push_back(other.data());
                         found[k] = explained_share(own[k].data(), parts, n_priors, given.rows,
                                                    target_units, weight_unit, are_classes);
                     });
    }
    return found;
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
    m.def("key_levels", &keys_of, nb::arg("columns"), nb::arg("n_levels"), nb::arg("combinations"),
          nb::arg("n_threads"),
          "For each combination of columns the different keys of the rows, increasing, and the "
          "place of each row's key among them; -1 where a level is not known.");
    nb::class_<RowPermutations>(m, "RowPermutations", "Random permutations of the training rows.")
        .def(
            "__init__",
            [](RowPermutations* self, std::uint64_t seed, int n_permutations, std::int64_t n_rows,
               int n_threads) {
                const ReleasedGil released;
                new (self) RowPermutations{
                    row_permutations(seed, n_permutations, n_rows, n_threads), n_rows};
            },
            nb::arg("seed"), nb::arg("n_permutations"), nb::arg("n_rows"), nb::arg("n_threads"));
    m.def("ordered_statistics", &ordered, nb::arg("places"), nb::arg("key_weights"),
          nb::arg("targets"), nb::arg("weights").none(), nb::arg("target_units"),
          nb::arg("weight_unit"), nb::arg("strength"), nb::arg("priors"), nb::arg("permutations"),
          nb::arg("n_threads"),
          "For each combination the statistics [targets x priors + 1, rows], each row from those "
          "before it, averaged over the permutations, and the weight of its key last. Without "
          "priors, the "
          "mean of the rows before is one.");
    m.def("total_statistics", &total, nb::arg("places"), nb::arg("n_keys"), nb::arg("targets"),
          nb::arg("weights").none(), nb::arg("n_threads"),
          "For each combination the weights of all rows of each key, and the sums of their "
          "targets.");
    m.def(
        "explained_shares", &shares, nb::arg("own"), nb::arg("others"), nb::arg("targets"),
        nb::arg("weights").none(), nb::arg("target_units"), nb::arg("weight_unit"),
        nb::arg("n_priors"), nb::arg("are_classes"), nb::arg("n_threads"),
        "For the columns of each combination the share of the targets' variance that they explain "
        "beyond those of others. are_classes: the targets are classes of one target.");
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
