// Bindings of losses, exact sums, quantiles and metrics of sorted rows (AUC, average precision).
#include "base/errors.hpp"
#include "bind/arrays.hpp"
#include "bind/gil.hpp"
#include "gradient/exact_sum.hpp"
#include "gradient/losses.hpp"
#include "gradient/output_sums.hpp"
#include "gradient/robust_losses.hpp"
#include "gradient/weighted_quantile.hpp"
#include "metric/auc.hpp"
#include "metric/average_precision.hpp"

#include <nanobind/stl/optional.h>

#include <optional>
#include <string>

namespace ceiba {

namespace {

using Values = nb::ndarray<const double, nb::c_contig, nb::device::cpu>;
using Numpy = nb::ndarray<nb::numpy, double>;

void check_size(const char* name, std::size_t given, std::size_t expected) {
    if (given != expected)
        throw InputError(std::string(name) + " must have " + std::to_string(expected) +
                         " values. Got " + std::to_string(given) + ".");
}

void check_shape(const char* name, const Out2<double>& array, std::size_t rows,
                 std::size_t columns) {
    check_size(name, array.shape(0), rows);
    check_size(name, array.shape(1), columns);
}

// Call fill(out) without the GIL; out is a new array of the shape of `like`.
template <class F>
Numpy filled_like(const Values& like, F&& fill) {
    std::vector<std::size_t> shape(like.ndim());
    for (std::size_t axis = 0; axis < shape.size(); ++axis) shape[axis] = like.shape(axis);
    auto* values = new std::vector<double>(like.size());
    nb::capsule owner(values,
                      [](void* p) noexcept { delete static_cast<std::vector<double>*>(p); });
    {
        const ReleasedGil released;
        fill(values->data());
    }
    return Numpy(values->data(), shape.size(), shape.data(), owner);
}

template <auto function>
Numpy element_wise(const Values& x, int n_threads) {
    return filled_like(x, [&](double* out) {
        function(x.data(), out, static_cast<int64_t>(x.size()), n_threads);
    });
}

void check_rows(const Array1<double>& scores, const Array1<double>& target,
                const Out1<double>& gradients, const Out1<double>& hessians) {
    check_size("target", target.size(), scores.size());
    check_size("out_gradients", gradients.size(), scores.size());
    check_size("out_hessians", hessians.size(), scores.size());
}

// A loss with one score per row.
template <auto function>
void bind_one_score(nb::module_& m, const char* name, const char* text) {
    m.def(
        name,
        [](const Array1<double>& scores, const Array1<double>& target, Out1<double> gradients,
           Out1<double> hessians, int n_threads) {
            check_rows(scores, target, gradients, hessians);
            const ReleasedGil released;
            function(scores.data(), target.data(), gradients.data(), hessians.data(),
                     static_cast<int64_t>(scores.size()), n_threads);
        },
        nb::arg("scores"), nb::arg("target"), nb::arg("out_gradients").noconvert(),
        nb::arg("out_hessians").noconvert(), nb::arg("n_threads"), text);
}

// The same for a loss with a parameter.
template <auto function>
void bind_one_score_and_option(nb::module_& m, const char* name, const char* option,
                               const char* text) {
    m.def(
        name,
        [](const Array1<double>& scores, const Array1<double>& target, double value,
           Out1<double> gradients, Out1<double> hessians, int n_threads) {
            check_rows(scores, target, gradients, hessians);
            const ReleasedGil released;
            function(scores.data(), target.data(), value, gradients.data(), hessians.data(),
                     static_cast<int64_t>(scores.size()), n_threads);
        },
        nb::arg("scores"), nb::arg("target"), nb::arg(option), nb::arg("out_gradients").noconvert(),
        nb::arg("out_hessians").noconvert(), nb::arg("n_threads"), text);
}

void bind_gradients(nb::module_& m) {
    m.def(
        "squared_error_gradients",
        [](const Array1<double>& scores, const Array1<double>& target, Out1<double> gradients,
           int n_threads) {
            check_size("target", target.size(), scores.size());
            check_size("out_gradients", gradients.size(), scores.size());
            const ReleasedGil released;
            squared_error_gradients(scores.data(), target.data(), gradients.data(),
                                    static_cast<int64_t>(scores.size()), n_threads);
        },
        nb::arg("scores"), nb::arg("target"), nb::arg("out_gradients").noconvert(),
        nb::arg("n_threads"), "Gradients of half the squared error; the hessian is 1.");
    bind_one_score<logistic_gradients>(m, "logistic_gradients",
                                       "Gradients and hessians of the logistic loss of log-odds.");
    bind_one_score<exponential_gradients>(
        m, "exponential_gradients",
        "Gradients and hessians of the exponential loss of half log-odds.");
    bind_one_score<gamma_gradients>(m, "gamma_gradients",
                                    "Gradients and hessians of the gamma loss of log means.");
    bind_one_score_and_option<poisson_gradients>(
        m, "poisson_gradients", "factor",
        "Gradients of the Poisson loss of log means; hessians: factor · mean.");
    bind_one_score_and_option<tweedie_gradients>(
        m, "tweedie_gradients", "power",
        "Gradients and hessians of the tweedie loss of log means.");
    bind_one_score<squared_log_error_gradients>(
        m, "squared_log_error_gradients",
        "Gradients and hessians (at least 1e-6) of the squared log error of predictions.");
    m.def(
        "pseudo_huber_gradients",
        [](const Array1<double>& scores, const Array1<double>& target, double delta, bool plain,
           Out1<double> gradients, Out1<double> hessians, int n_threads) {
            check_rows(scores, target, gradients, hessians);
            const ReleasedGil released;
            pseudo_huber_gradients(scores.data(), target.data(), delta, plain, gradients.data(),
                                   hessians.data(), static_cast<int64_t>(scores.size()), n_threads);
        },
        nb::arg("scores"), nb::arg("target"), nb::arg("delta"), nb::arg("plain"),
        nb::arg("out_gradients").noconvert(), nb::arg("out_hessians").noconvert(),
        nb::arg("n_threads"),
        "Gradients of the pseudo-Huber loss; hessians are second derivatives (plain), or gradients "
        "divided by score - target.");
    m.def(
        "softmax_gradients",
        [](const Array2<double>& scores, const Array1<double>& target, double factor,
           Out2<double> gradients, Out2<double> hessians, int n_threads) {
            const std::size_t n_classes = scores.shape(0);
            const std::size_t n_rows = scores.shape(1);
            check_size("target", target.size(), n_rows);
            check_shape("out_gradients", gradients, n_classes, n_rows);
            check_shape("out_hessians", hessians, n_classes, n_rows);
            const ReleasedGil released;
            softmax_gradients(scores.data(), target.data(), factor, gradients.data(),
                              hessians.data(), static_cast<int64_t>(n_classes),
                              static_cast<int64_t>(n_rows), n_threads);
        },
        nb::arg("scores"), nb::arg("target"), nb::arg("factor"),
        nb::arg("out_gradients").noconvert(), nb::arg("out_hessians").noconvert(),
        nb::arg("n_threads"),
        "Gradients of the softmax loss of scores [K, n]; hessians are factor · p(1 - p).");
    m.def(
        "sum_outputs",
        [](const Array2<double>& values, const Array1<double>& factors, const Out1<double>& sums,
           int n_threads) {
            check_size("factors", factors.size(), values.shape(0));
            check_size("out", sums.size(), values.shape(1));
            const ReleasedGil released;
            sum_outputs(values.data(), {factors.data(), factors.size()},
                        static_cast<std::int64_t>(values.shape(1)), sums.data(), n_threads);
        },
        nb::arg("values").noconvert(), nb::arg("factors").noconvert(), nb::arg("out").noconvert(),
        nb::arg("n_threads"), "The sum of values [K, n] times factors [K] for each row, in order.");
}

void bind_robust_gradients(nb::module_& m) {
    m.def(
        "sign_gradients",
        [](const Array2<double>& scores, const Array1<double>& target, const Array2<double>& slopes,
           Out1<double> gradients, int n_threads) {
            check_size("target", target.size(), scores.shape(1));
            check_size("out_gradients", gradients.size(), scores.shape(1));
            check_size("slopes", slopes.size(), 3 * scores.shape(0));
            std::vector<SlopeOfSign> each;
            for (std::size_t k = 0; k < scores.shape(0); ++k)
                each.push_back({slopes(k, 0), slopes(k, 1), slopes(k, 2)});
            const ReleasedGil released;
            sign_gradients(scores.data(), target.data(), each, gradients.data(),
                           static_cast<int64_t>(scores.shape(1)), n_threads);
        },
        nb::arg("scores"), nb::arg("target"), nb::arg("slopes"),
        nb::arg("out_gradients").noconvert(), nb::arg("n_threads"),
        "For each row, the sum over its K scores of the slope [K, 3] for a score below, equal to "
        "or above the target.");
    m.def(
        "huber_gradients",
        [](const Array1<double>& scores, const Array1<double>& target, double delta,
           Out1<double> gradients, int n_threads) {
            check_size("target", target.size(), scores.size());
            check_size("out_gradients", gradients.size(), scores.size());
            const ReleasedGil released;
            huber_gradients(scores.data(), target.data(), delta, gradients.data(),
                            static_cast<int64_t>(scores.size()), n_threads);
        },
        nb::arg("scores"), nb::arg("target"), nb::arg("delta"),
        nb::arg("out_gradients").noconvert(), nb::arg("n_threads"),
        "score - target, clipped to [-delta, delta].");
}

void bind_losses(nb::module_& m) {
    m.def(
        "logistic_loss",
        [](const Array1<double>& target, const Array1<double>& scores, int n_threads) {
            check_size("target", target.size(), scores.size());
            return filled_like(Values(scores), [&](double* out) {
                logistic_loss(target.data(), scores.data(), out,
                              static_cast<int64_t>(scores.size()), n_threads);
            });
        },
        nb::arg("target"), nb::arg("raw"), nb::arg("n_threads") = 1,
        "Logistic loss of every row from its log-odds.");
    m.def(
        "softmax_loss",
        [](const Array1<double>& target, const Array2<double>& scores, int n_threads) {
            check_size("target", target.size(), scores.shape(1));
            return filled_like(Values(target), [&](double* out) {
                softmax_loss(target.data(), scores.data(), out,
                             static_cast<int64_t>(scores.shape(0)),
                             static_cast<int64_t>(scores.shape(1)), n_threads);
            });
        },
        nb::arg("target"), nb::arg("raw"), nb::arg("n_threads") = 1,
        "Softmax loss of every row from its scores [K, n].");
    m.def("exp", &element_wise<exp_of>, nb::arg("x"), nb::arg("n_threads") = 1,
          "exp of every element, with the same bits on every machine.");
    m.def("log", &element_wise<log_of>, nb::arg("x"), nb::arg("n_threads") = 1,
          "Natural logarithm of every element, with the same bits on every machine.");
    m.def("sigmoid", &element_wise<sigmoid>, nb::arg("x"), nb::arg("n_threads") = 1,
          "1 / (1 + exp(-x)) of every element.");
    m.def(
        "softmax",
        [](const Array2<double>& raw, int n_threads) {
            return filled_like(Values(raw), [&](double* out) {
                softmax(raw.data(), out, static_cast<int64_t>(raw.shape(1)),
                        static_cast<int64_t>(raw.shape(0)), n_threads);
            });
        },
        nb::arg("raw"), nb::arg("n_threads") = 1, "Probabilities of rows from scores [n, K].");
}

const double* weights_or_null(const std::optional<Array1<double>>& weights, std::size_t n) {
    if (!weights) return nullptr;
    check_size("weights", weights->size(), n);
    return weights->data();
}

// A metric of two classes that depends only on the order of the scores.
template <auto function>
void bind_ranking(nb::module_& m, const char* name, const char* text) {
    m.def(
        name,
        [](const Array1<double>& target, const Array1<double>& scores,
           const std::optional<Array1<double>>& weights) {
            check_size("target", target.size(), scores.size());
            const double* factors = weights_or_null(weights, scores.size());
            const ReleasedGil released;
            return function(target.data(), scores.data(), factors,
                            static_cast<int64_t>(scores.size()));
        },
        nb::arg("target"), nb::arg("scores"), nb::arg("weights") = nb::none(), text);
}

void bind_sums(nb::module_& m) {
    m.def(
        "exact_sum",
        [](const Array1<double>& values, const std::optional<Array1<double>>& weights) {
            const double* factors = weights_or_null(weights, values.size());
            const ReleasedGil released;
            return exact_sum(values.data(), factors, static_cast<int64_t>(values.size()));
        },
        nb::arg("values"), nb::arg("weights") = nb::none(),
        "Sum of values (times weights) that does not depend on their order.");
    m.def(
        "largest_bits",
        [](const Array1<double>& values, const std::optional<Array1<double>>& weights) {
            const double* factors = weights_or_null(weights, values.size());
            const LargestBits largest =
                LargestBits::of(values.data(), factors, static_cast<int64_t>(values.size()));
            return nb::make_tuple(largest.value, largest.weight);
        },
        nb::arg("values"), nb::arg("weights").none(),
        "The bits of the largest magnitudes of values and weights; 0 without weights.");
    m.def(
        "exact_part",
        [](const Array1<double>& values, const std::optional<Array1<double>>& weights,
           std::int64_t largest, std::int64_t largest_weight) {
            const double* factors = weights_or_null(weights, values.size());
            const Limbs limbs =
                limbs_of(exact_part(values.data(), factors, static_cast<int64_t>(values.size()),
                                    {largest, largest_weight, factors != nullptr}));
            return to_numpy(std::vector<std::int64_t>(limbs.begin(), limbs.end()));
        },
        nb::arg("values"), nb::arg("weights").none(), nb::arg("largest"), nb::arg("largest_weight"),
        "The part of an exact sum that these values are: four integers, which can be added.");
    m.def(
        "exact_result",
        [](const Array1<std::int64_t>& limbs, std::int64_t largest, std::int64_t largest_weight,
           bool weighted) {
            if (limbs.shape(0) != 4) throw InputError("A sum has four integers.");
            const std::int64_t* given = limbs.data();
            return exact_result(wide_of({given[0], given[1], given[2], given[3]}),
                                {largest, largest_weight, weighted});
        },
        nb::arg("limbs"), nb::arg("largest"), nb::arg("largest_weight"), nb::arg("weighted"),
        "The number that a sum of exact parts stands for.");
    bind_ranking<auc>(m, "auc", "Area under the ROC curve; NaN if a class has no weight.");
    bind_ranking<average_precision>(m, "average_precision",
                                    "Average precision; NaN if class 1 has no weight.");
    m.def(
        "weighted_quantile",
        [](const Array1<double>& values, const std::optional<Array1<double>>& weights,
           double level) {
            const double* factors = weights_or_null(weights, values.size());
            const ReleasedGil released;
            return weighted_quantile(values.data(), factors, static_cast<int64_t>(values.size()),
                                     level);
        },
        nb::arg("values"), nb::arg("weights").none(), nb::arg("level"),
        "Weighted quantile: the smallest value up to which the weights sum to at least level times "
        "their total.");
}

} // namespace

void bind_gradient(nb::module_& m) {
    bind_gradients(m);
    bind_robust_gradients(m);
    bind_losses(m);
    bind_sums(m);
}

} // namespace ceiba
