// Bindings of leaf values that are statistics of residuals, and of the scores of ordered boosting and
// DART.
#include "base/errors.hpp"
#include "bind/arrays.hpp"
#include "bind/gil.hpp"
#include "bind/held_array.hpp"
#include "leaf/grown_trees.hpp"
#include "leaf/huber.hpp"
#include "leaf/prefix_scores.hpp"
#include "leaf/removable_scores.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <deque>
#include <optional>
#include <string>
#include <vector>

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
        throw InputError("target must have one value for each row, and scores must have the shape "
                         "(options, rows).");
    std::vector<ResidualRule> rules;
    for (const double option : options) rules.push_back(residual_rule(kind, option));
    const ReleasedGil released;
    grown.fit_residual(target.data(), scores.data(), rules, constant_hessian, learning_rate);
}

double huber_minimum_of(const Array1<double>& values, const std::optional<Array1<double>>& weights,
                        double delta) {
    const auto n = static_cast<std::int64_t>(values.size());
    if (n == 0 || (weights && weights->size() != values.size()))
        throw InputError("There must be at least one value, and a weight for each value.");
    const ReleasedGil released;
    std::vector<WeightedValue> copy =
        weighted_values(values.data(), weights ? weights->data() : nullptr, n);
    return huber_minimum(copy, delta);
}

// The leaf of every row in one tree (from GrownTrees), and the values of the nodes.
LeafColumn leaf_column(const HeldArray& leaves, const HeldArray& values, double factor,
                       std::int64_t n_rows) {
    const NumberType type = leaves.type();
    const int width = type == NumberType::uint8    ? 1
                      : type == NumberType::uint16 ? 2
                      : type == NumberType::uint32 ? 4
                                                   : 0;
    if (width == 0 || !leaves.is_contiguous() || leaves.n_items() != n_rows)
        throw InputError("leaves must be contiguous unsigned integers, one for each row.");
    if (values.type() != NumberType::float64 || !values.is_contiguous())
        throw InputError("The values of nodes must be a contiguous float64 array.");
    return {leaves.data(),
            width,
            {static_cast<const double*>(values.data()), static_cast<std::size_t>(values.n_items())},
            factor};
}

void add_leaf_columns(const Out1<double>& high, const Out1<double>& low, const nb::sequence& leaves,
                      const nb::sequence& values, const std::vector<double>& factors,
                      int n_threads) {
    const auto n_rows = static_cast<std::int64_t>(high.shape(0));
    const auto n_trees = nb::len(leaves);
    if (low.shape(0) != high.shape(0) || nb::len(values) != n_trees || factors.size() != n_trees)
        throw InputError("high and low must have one value for each row, and there must be leaves, "
                         "values and a factor for each tree.");
    std::deque<HeldArray> held;
    std::vector<LeafColumn> trees;
    for (std::size_t t = 0; t < n_trees; ++t) {
        const HeldArray& own = held.emplace_back(leaves[t]);
        trees.push_back(leaf_column(own, held.emplace_back(values[t]), factors[t], n_rows));
    }
    const ReleasedGil released;
    add_leaves(trees, high.data(), low.data(), n_rows, n_threads);
}

using Matrix = Array2<double>;

nb::ndarray<nb::numpy, double> copied(std::span<const double> values, std::int64_t n_outputs) {
    const auto n = static_cast<std::size_t>(n_outputs);
    return to_numpy(std::vector<double>(values.begin(), values.end()), {n, values.size() / n});
}

void bind_ordered(nb::module_& m) {
    m.def(
        "ordered_rows",
        [](std::uint64_t seed, std::uint64_t permutation, std::int64_t n_rows) {
            return to_numpy(ordered_rows(seed, permutation, n_rows));
        },
        nb::arg("seed"), nb::arg("permutation"), nb::arg("n_rows"),
        "The rows in the order of a permutation.");

    nb::class_<PrefixScores>(m, "PrefixScores",
                             "Scores of rows from models that did not use them (ordered boosting).")
        .def(
            "__init__",
            [](PrefixScores* self, const Matrix& start, std::int64_t n_permutations,
               std::int64_t first_rows, std::uint64_t seed, const GrowPlan& plan,
               const std::optional<Array1<double>>& weights, int n_threads) {
                const PrefixScores::Shape shape{static_cast<std::int64_t>(start.shape(1)),
                                                static_cast<std::int64_t>(start.shape(0)),
                                                n_permutations, first_rows};
                std::span<const double> own;
                if (weights) own = {weights->data(), weights->shape(0)};
                new (self)
                    PrefixScores(shape, seed, plan, {start.data(), start.size()}, own, n_threads);
            },
            nb::kw_only(), nb::arg("start"), nb::arg("n_permutations"), nb::arg("first_rows"),
            nb::arg("seed"), nb::arg("plan"), nb::arg("weights").none() = nb::none(),
            nb::arg("n_threads") = 1)
        .def(
            "body_rows",
            [](const PrefixScores& self) {
                const auto rows = self.body_rows();
                return to_numpy(std::vector<std::int32_t>(rows.begin(), rows.end()));
            },
            "The rows that models use, model by model.")
        .def(
            "moved",
            [](const PrefixScores& self) { return copied(self.moved(), self.n_outputs()); },
            "The scores of those rows with the values so far, (n_outputs, n_body).")
        .def(
            "tails",
            [](const PrefixScores& self, std::int64_t permutation) {
                return copied(self.tails(permutation), self.n_outputs());
            },
            nb::arg("permutation"),
            "The scores of all rows, each from a model that did not use it.")
        .def(
            "begin",
            [](PrefixScores& self, const Array2<std::int32_t>& leaves) {
                const ReleasedGil released;
                self.begin({leaves.data(), leaves.size()});
            },
            nb::arg("leaves"), "Begin a round with the leaves of all rows, (n_outputs, n_rows).")
        .def(
            "step",
            [](PrefixScores& self, const Matrix& gradients, const std::optional<Matrix>& hessians,
               double constant_hessian, std::optional<double> log_link_power) {
                const std::size_t n = gradients.shape(1);
                if (hessians && (hessians->shape(0) != gradients.shape(0) ||
                                 hessians->shape(1) != gradients.shape(1)))
                    throw InputError("hessians must have the shape of the gradients.");
                std::vector<GradientView> views;
                for (std::size_t k = 0; k < gradients.shape(0); ++k)
                    views.push_back({gradients.data() + k * n,
                                     hessians ? hessians->data() + k * n : nullptr,
                                     constant_hessian, static_cast<std::int64_t>(n)});
                const ReleasedGil released;
                self.step(views, log_link_power);
            },
            nb::arg("gradients"), nb::arg("hessians").none(), nb::arg("constant_hessian"),
            nb::arg("log_link_power").none() = nb::none(),
            "Make one Newton step of the leaves of every model, at the gradients of moved().")
        .def(
            "end",
            [](PrefixScores& self, double rate) {
                const ReleasedGil released;
                self.end(rate);
            },
            nb::arg("rate"),
            "Multiply the values by the learning rate and add them to all scores.");
}

} // namespace

void bind_leaf(nb::module_& m) {
    bind_ordered(m);
    m.def("fit_residual_leaves", &fit_residual, nb::arg("grown"), nb::arg("target"),
          nb::arg("scores"), nb::arg("kind"), nb::arg("options"), nb::arg("constant_hessian"),
          nb::arg("learning_rate"),
          "Set every leaf to a statistic of its residuals times the learning rate; options: the "
          "level or delta of each output.");
    m.def("huber_minimum", &huber_minimum_of, nb::arg("values"), nb::arg("weights").none(),
          nb::arg("delta"), "The constant that minimizes the Huber loss of weighted values.");
    m.def("add_leaves", &add_leaf_columns, nb::arg("high").noconvert(), nb::arg("low").noconvert(),
          nb::arg("leaves"), nb::arg("values"), nb::arg("factors"), nb::arg("n_threads"),
          "Add leaf values (factor 1) to high + low in place, or remove them (factor -1).");
}

} // namespace ceiba
