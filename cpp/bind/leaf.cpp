// Leaves that are a statistic of residuals, for Python.
#include "base/errors.hpp"
#include "bind/arrays.hpp"
#include "bind/gil.hpp"
#include "leaf/grown_trees.hpp"
#include "leaf/huber.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <optional>
#include <string>

namespace ceiba {

namespace {

ResidualRule residual_rule(const std::string& kind, double option) {
    using Kind = ResidualRule::Kind;
    if (kind == "quantile" && option > 0 && option < 1) return {Kind::quantile, option};
    if (kind == "huber" && option >= 0) return {Kind::huber, option};
    if (kind == "huber_friedman" && option >= 0) return {Kind::huber_friedman, option};
    throw InputError("kind must be quantile (with a level between 0 and 1), huber or "
                     "huber_friedman (with a delta of 0 or more). Got " +
                     kind + " with " + std::to_string(option) + ".");
}

void fit_residual(GrownTrees& grown, const Array1<double>& target, const Array2<double>& scores,
                  const std::string& kind, const std::vector<double>& options,
                  double constant_hessian, double learning_rate) {
    if (static_cast<std::int64_t>(target.shape(0)) != grown.n_rows() ||
        static_cast<std::int64_t>(scores.shape(1)) != grown.n_rows() ||
        scores.shape(0) != options.size())
        throw InputError("target must have one value for each row, and scores one row of them for "
                         "each option.");
    std::vector<ResidualRule> rules;
    for (const double option : options) rules.push_back(residual_rule(kind, option));
    const ReleasedGil released;
    grown.fit_residual(target.data(), scores.data(), rules, constant_hessian, learning_rate);
}

double huber_minimum_of(const Array1<double>& values, const std::optional<Array1<double>>& weights,
                        double delta) {
    const auto n = static_cast<std::int64_t>(values.size());
    if (n == 0 || (weights && weights->size() != values.size()))
        throw InputError("there must be a value, and a weight for each value.");
    const ReleasedGil released;
    std::vector<WeightedValue> copy =
        weighted_values(values.data(), weights ? weights->data() : nullptr, n);
    return huber_minimum(copy, delta);
}

} // namespace

void bind_leaf(nb::module_& m) {
    m.def("fit_residual_leaves", &fit_residual, nb::arg("grown"), nb::arg("target"),
          nb::arg("scores"), nb::arg("kind"), nb::arg("options"), nb::arg("constant_hessian"),
          nb::arg("learning_rate"),
          "Write a statistic of the residuals of its rows, times the learning rate, into every "
          "leaf; options holds the level or delta of each output.");
    m.def("huber_minimum", &huber_minimum_of, nb::arg("values"), nb::arg("weights").none(),
          nb::arg("delta"), "The constant with the smallest Huber loss to the weighted values.");
}

} // namespace ceiba
