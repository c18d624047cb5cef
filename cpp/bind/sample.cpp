#include "base/errors.hpp"
#include "bind/arrays.hpp"
#include "bind/gil.hpp"
#include "sample/rows.hpp"

#include <string>

namespace ceiba {

namespace {

void check_rows(std::int64_t n) {
    if (n < 0 || n > INT32_MAX)
        throw InputError("a table has between 0 and 2,147,483,647 rows. Got " + std::to_string(n) +
                         ".");
}

nb::ndarray<nb::numpy, double> hash_uniform(std::uint64_t seed, std::uint64_t round,
                                            std::int64_t n) {
    check_rows(n);
    std::vector<double> out(static_cast<std::size_t>(n));
    const RowNumbers numbers(seed, round);
    for (std::int64_t row = 0; row < n; ++row) out[static_cast<std::size_t>(row)] = numbers[row];
    return to_numpy(std::move(out));
}

nb::ndarray<nb::numpy, std::int32_t> sampled(std::uint64_t seed, std::uint64_t round,
                                             std::int64_t n, double fraction, int n_threads) {
    check_rows(n);
    std::vector<std::int32_t> rows;
    {
        const ReleasedGil released;
        rows = sample_rows(seed, round, n, fraction, n_threads);
    }
    return to_numpy(std::move(rows));
}

} // namespace

void bind_sample(nb::module_& m) {
    m.def("hash_uniform", &hash_uniform, nb::arg("seed"), nb::arg("round"), nb::arg("n"),
          "Unit numbers keyed by (seed, round, row).");
    m.def("sample_rows", &sampled, nb::arg("seed"), nb::arg("round"), nb::arg("n"),
          nb::arg("fraction"), nb::arg("n_threads"),
          "Rows whose unit number is below the fraction, in increasing order; at least one.");
}

} // namespace ceiba
