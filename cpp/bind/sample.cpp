#include "base/errors.hpp"
#include "bind/arrays.hpp"
#include "bind/gil.hpp"
#include "sample/gradient_size.hpp"
#include "sample/rows.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <tuple>

namespace ceiba {

namespace {

using Rows = nb::ndarray<nb::numpy, std::int32_t>;
using Reals = nb::ndarray<nb::numpy, double>;
using OptionalRows = std::optional<Array1<std::int32_t>>;
using OptionalReals = std::optional<Array1<double>>;

void check_rows(std::int64_t n) {
    if (n < 0 || n > INT32_MAX)
        throw InputError("A table must have between 0 and 2,147,483,647 rows. Got " +
                         std::to_string(n) + ".");
}

Candidates candidates_of(std::int64_t n, const OptionalRows& rows) {
    check_rows(n);
    if (!rows) return {n, nullptr};
    return {static_cast<std::int64_t>(rows->shape(0)), rows->data()};
}

RoundGradients round_of(const Array2<double>& gradients,
                        const std::optional<Array2<double>>& hessians, double constant_hessian,
                        const OptionalReals& weights) {
    RoundGradients round;
    round.n_trees = static_cast<std::int64_t>(gradients.shape(0));
    round.n_rows = static_cast<std::int64_t>(gradients.shape(1));
    check_rows(round.n_rows);
    const bool same_shape = !hessians || (hessians->shape(0) == gradients.shape(0) &&
                                          hessians->shape(1) == gradients.shape(1));
    if (round.n_rows == 0 || !same_shape || (weights && weights->shape(0) != gradients.shape(1)))
        throw InputError("gradients, hessians and weights must have the same rows.");
    round.gradients = gradients.data();
    if (hessians) round.hessians = hessians->data();
    round.constant_hessian = constant_hessian;
    if (weights) round.weights = weights->data();
    return round;
}

std::tuple<Rows, Reals> to_pair(SampledRows&& sample) {
    return {to_numpy(std::move(sample.rows)), to_numpy(std::move(sample.multipliers))};
}

Reals hash_uniform(std::uint64_t seed, std::uint64_t round, std::int64_t n, std::uint64_t tree) {
    check_rows(n);
    std::vector<double> out(static_cast<std::size_t>(n));
    const RowNumbers numbers({seed, round, tree});
    for (std::int64_t row = 0; row < n; ++row) out[static_cast<std::size_t>(row)] = numbers[row];
    return to_numpy(std::move(out));
}

Rows sample_bernoulli(const RowKey& key, std::int64_t n, double fraction, const OptionalRows& from,
                      int n_threads) {
    const Candidates candidates = candidates_of(n, from);
    std::vector<std::int32_t> rows;
    {
        const ReleasedGil released;
        rows = bernoulli_rows(key, candidates, fraction, n_threads);
    }
    return to_numpy(std::move(rows));
}

Rows sample_uniform(const RowKey& key, std::int64_t n, std::int64_t wanted,
                    const OptionalRows& from, int n_threads) {
    const Candidates candidates = candidates_of(n, from);
    if (wanted < 1) throw InputError("At least one row must be sampled.");
    std::vector<std::int32_t> rows;
    {
        const ReleasedGil released;
        rows = uniform_rows(key, candidates, wanted, n_threads);
    }
    return to_numpy(std::move(rows));
}

std::tuple<Rows, Reals> sample_bootstrap(const RowKey& key, std::int64_t n, std::int64_t n_draws,
                                         int n_threads) {
    check_rows(n);
    SampledRows sample;
    {
        const ReleasedGil released;
        sample = bootstrap_rows(key, n, n_draws, n_threads);
    }
    return to_pair(std::move(sample));
}

Reals sample_bayesian(const RowKey& key, std::int64_t n, double temperature, int n_threads) {
    check_rows(n);
    std::vector<double> multipliers;
    {
        const ReleasedGil released;
        multipliers = bayesian_multipliers(key, n, temperature, n_threads);
    }
    return to_numpy(std::move(multipliers));
}

std::tuple<Rows, Reals> sample_goss(const RowKey& key, const Array2<double>& gradients,
                                    const std::optional<Array2<double>>& hessians,
                                    double constant_hessian, const OptionalReals& weights,
                                    std::int64_t n_top, double n_other, int n_threads,
                                    SampleRoom* room) {
    const RoundGradients round = round_of(gradients, hessians, constant_hessian, weights);
    if (n_top < 0 || !(n_other > 0) ||
        static_cast<double>(n_top) + n_other > static_cast<double>(round.n_rows))
        throw InputError(
            "The rows of large gradients and the others together must be fewer than all rows.");
    SampleRoom own;
    SampledRows sample;
    {
        const ReleasedGil released;
        sample = goss_rows(key, round, n_top, n_other, n_threads, room != nullptr ? *room : own);
    }
    return to_pair(std::move(sample));
}

std::tuple<Rows, Reals> sample_mvs(const RowKey& key, const Array2<double>& gradients,
                                   const OptionalReals& weights, double penalty, double n_expected,
                                   int n_threads, SampleRoom* room) {
    const RoundGradients round = round_of(gradients, std::nullopt, 1, weights);
    if (!(n_expected > 0 && n_expected < static_cast<double>(round.n_rows)))
        throw InputError(
            "The expected number of rows must be above 0 and below the number of all rows.");
    SampleRoom own;
    SampledRows sample;
    {
        const ReleasedGil released;
        sample =
            mvs_rows(key, round, penalty, n_expected, n_threads, room != nullptr ? *room : own);
    }
    return to_pair(std::move(sample));
}

double mean_gradient_size(const Array2<double>& gradients, const OptionalReals& weights,
                          int n_threads) {
    const RoundGradients round = round_of(gradients, std::nullopt, 1, weights);
    SampleRoom own;
    const ReleasedGil released;
    return mean_size(round, n_threads, own);
}

double find_mvs_threshold(const Array1<double>& sizes, double n_expected, int n_threads) {
    return mvs_threshold({sizes.data(), sizes.shape(0)}, n_expected, n_threads);
}

nb::ndarray<nb::numpy, std::uint64_t> row_hashes(const RowKey& key,
                                                 const Array1<std::int64_t>& numbers) {
    const RowNumbers hashes(key);
    std::vector<std::uint64_t> out(numbers.shape(0));
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = hashes.hash(numbers.data()[i]);
    return to_numpy(std::move(out));
}

Reals find_goss_sizes(const Array2<double>& gradients,
                      const std::optional<Array2<double>>& hessians, double constant_hessian,
                      const OptionalReals& weights, int n_threads) {
    return to_numpy(
        goss_sizes(round_of(gradients, hessians, constant_hessian, weights), n_threads));
}

Reals find_mvs_sizes(const Array2<double>& gradients, const OptionalReals& weights, double penalty,
                     int n_threads) {
    SampleRoom room;
    const auto sizes =
        mvs_sizes(round_of(gradients, std::nullopt, 1, weights), penalty, n_threads, room);
    return to_numpy(std::vector<double>(sizes.begin(), sizes.end()));
}

} // namespace

void bind_sample(nb::module_& m) {
    m.def("row_hashes", &row_hashes, nb::arg("key"), nb::arg("numbers"),
          "The hashes that samplers draw rows of these numbers by.");
    m.def("goss_sizes", &find_goss_sizes, nb::arg("gradients"), nb::arg("hessians").none(),
          nb::arg("constant_hessian"), nb::arg("weights").none(), nb::arg("n_threads") = 1,
          "The sizes that GOSS selects rows by.");
    m.def("mvs_sizes", &find_mvs_sizes, nb::arg("gradients"), nb::arg("weights").none(),
          nb::arg("penalty"), nb::arg("n_threads") = 1, "The sizes that MVS selects rows by.");
    m.def("hash_uniform", &hash_uniform, nb::arg("seed"), nb::arg("round"), nb::arg("n"),
          nb::arg("tree") = 0, "Unit numbers keyed by (seed, round, tree, row).");
    nb::class_<RowKey>(m, "RowKey", "Key of a row sample: seed, round and tree of the round.")
        .def(
            "__init__",
            [](RowKey* key, std::uint64_t seed, std::uint64_t round, std::uint64_t tree) {
                new (key) RowKey{seed, round, tree};
            },
            nb::arg("seed"), nb::arg("round"), nb::arg("tree") = 0);
    nb::class_<SampleRoom>(m, "SampleRoom", "Buffers that samplers reuse in every round.")
        .def(nb::init<>());
    m.def("sample_bernoulli", &sample_bernoulli, nb::arg("key"), nb::arg("n"), nb::arg("fraction"),
          nb::arg("candidates") = nb::none(), nb::arg("n_threads") = 1,
          "Rows (of `candidates`) whose unit number is below the fraction, in increasing order; at "
          "least one.");
    m.def("sample_uniform", &sample_uniform, nb::arg("key"), nb::arg("n"), nb::arg("wanted"),
          nb::arg("candidates") = nb::none(), nb::arg("n_threads") = 1,
          "A given number of rows (of `candidates`), in increasing order.");
    m.def("sample_bootstrap", &sample_bootstrap, nb::arg("key"), nb::arg("n"), nb::arg("n_draws"),
          nb::arg("n_threads") = 1, "Rows drawn with replacement, and how often each was drawn.");
    m.def("sample_bayesian", &sample_bayesian, nb::arg("key"), nb::arg("n"), nb::arg("temperature"),
          nb::arg("n_threads") = 1, "(-log u)^temperature for every row.");
    m.def("sample_goss", &sample_goss, nb::arg("key"), nb::arg("gradients"),
          nb::arg("hessians").none(), nb::arg("constant_hessian"), nb::arg("weights").none(),
          nb::arg("n_top"), nb::arg("n_other"), nb::arg("n_threads") = 1,
          nb::arg("room") = nb::none(),
          "GOSS: the rows with the largest gradients and a sample of the others, with their "
          "multipliers.");
    m.def("sample_mvs", &sample_mvs, nb::arg("key"), nb::arg("gradients"),
          nb::arg("weights").none(), nb::arg("penalty"), nb::arg("n_expected"),
          nb::arg("n_threads") = 1, nb::arg("room") = nb::none(),
          "MVS: rows sampled with probabilities proportional to the size of their gradients, with "
          "their multipliers. None: take all rows.");
    m.def("mean_gradient_size", &mean_gradient_size, nb::arg("gradients"),
          nb::arg("weights").none(), nb::arg("n_threads") = 1,
          "The mean gradient norm of the rows.");
    m.def("mvs_threshold", &find_mvs_threshold, nb::arg("sizes"), nb::arg("n_expected"),
          nb::arg("n_threads") = 1,
          "The MVS threshold for an expected number of rows: rows with larger gradients are always "
          "taken.");
}

} // namespace ceiba
