#include "base/errors.hpp"
#include "bind/arrays.hpp"
#include "bind/gil.hpp"
#include "bind/plain_exchange.hpp"
#include "bind/python_exchange.hpp"
#include "bind/tree_dict.hpp"
#include "data/coded/recoded.hpp"
#include "leaf/grown_trees.hpp"
#include "model/forest.hpp"
#include "tree/grower.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <string>
#include <tuple>

namespace ceiba {

namespace {

using Matrix = Array2<double>;

std::vector<GradientView> views_of(const Matrix& gradients, const std::optional<Matrix>& hessians,
                                   double constant_hessian, std::int64_t n_rows) {
    if (static_cast<std::int64_t>(gradients.shape(1)) != n_rows)
        throw InputError("gradients must have one column for each of the " +
                         std::to_string(n_rows) + " rows. Got " +
                         std::to_string(gradients.shape(1)) + ".");
    if (hessians &&
        (hessians->shape(0) != gradients.shape(0) || hessians->shape(1) != gradients.shape(1)))
        throw InputError("hessians must have the shape of the gradients.");
    std::vector<GradientView> views;
    for (std::size_t k = 0; k < gradients.shape(0); ++k)
        views.push_back({gradients.data() + k * gradients.shape(1),
                         hessians ? hessians->data() + k * gradients.shape(1) : nullptr,
                         constant_hessian, n_rows, static_cast<int>(k)});
    return views;
}

void begin_steps(GrownTrees& trees, const Matrix& gradients, const std::optional<Matrix>& hessians,
                 double constant_hessian, std::optional<double> log_link_power, bool others) {
    const auto views = views_of(gradients, hessians, constant_hessian, trees.n_rows());
    const ReleasedGil released;
    trees.begin_steps(views, log_link_power, others);
}

void step(GrownTrees& trees, const Matrix& gradients, const std::optional<Matrix>& hessians,
          double constant_hessian, std::optional<double> log_link_power) {
    const auto views = views_of(gradients, hessians, constant_hessian, trees.n_rows());
    const ReleasedGil released;
    trees.step(views, log_link_power);
}

GrowerTable local_table(std::shared_ptr<const BinnedMatrix> binned,
                        std::shared_ptr<const RankedColumns> ranked,
                        std::shared_ptr<const Regressors> regressors,
                        std::shared_ptr<const BinnedMatrix> of_leaves) {
    GrowerTable table;
    table.n_rows = binned->n_rows();
    table.binned = std::move(binned);
    table.ranked = std::move(ranked);
    table.regressors = std::move(regressors);
    table.of_leaves = std::move(of_leaves);
    return table;
}

GrowerTable remote_table(nb::object exchange, std::shared_ptr<const BinMapper> mapper,
                         std::int64_t n_rows) {
    GrowerTable table;
    table.n_rows = n_rows;
    table.mapper = mapper;
    table.make_exchange = [exchange = std::move(exchange), mapper = std::move(mapper)] {
        const nb::gil_scoped_acquire held;
        return python_exchange(exchange, mapper);
    };
    return table;
}

std::shared_ptr<Grower> make_grower(const GrowerTable& table, const GrowPlan& plan,
                                    const std::optional<Array1<double>>& weights, int n_threads) {
    std::vector<double> copy;
    if (weights) {
        if (static_cast<std::int64_t>(weights->shape(0)) != table.n_rows)
            throw InputError("weights must have one value for each of the " +
                             std::to_string(table.n_rows) + " rows. Got " +
                             std::to_string(weights->shape(0)) + ".");
        copy.assign(weights->data(), weights->data() + weights->shape(0));
    }
    return std::make_shared<Grower>(table, plan, std::move(copy), n_threads);
}

using Rows = std::optional<Array1<std::int32_t>>;
using Multipliers = std::optional<Array1<double>>;
// GrowSample as Python gives it.
struct Sample {
    Rows rows;
    Multipliers multipliers;
    std::uint64_t round = 0, member = 0;
    std::vector<double> noise;
    bool repeats = true;
    std::optional<PlainFacts> facts;
};

void check_noise(const std::vector<double>& noise, std::size_t n_trees) {
    if (!noise.empty() && noise.size() != n_trees)
        throw InputError("noise must have one sigma for each tree.");
    for (const double sigma : noise)
        if (!(sigma >= 0 && sigma <= std::numeric_limits<double>::max()))
            throw InputError("noise must be finite and not below 0.");
}

std::span<const std::int32_t> checked_rows(const Rows& rows, std::int64_t n_rows) {
    if (!rows) return {};
    const std::span<const std::int32_t> selected{rows->data(), rows->shape(0)};
    for (std::size_t i = 0; i < selected.size(); ++i)
        if (selected[i] < 0 || selected[i] >= n_rows || (i > 0 && selected[i] <= selected[i - 1]))
            throw InputError("rows must be row numbers in increasing order.");
    if (selected.empty()) throw InputError("rows must select at least one row. Got none.");
    return selected;
}

std::vector<GrownTrees> grow_samples(const std::shared_ptr<Grower>& grower, const Matrix& gradients,
                                     const std::optional<Matrix>& hessians, double constant_hessian,
                                     const std::vector<Sample>& samples, std::int64_t leaf_width) {
    if (leaf_width < 1) throw InputError("leaf_width must be 1 or more.");
    const std::int64_t n_rows = grower->n_rows();
    const auto views = views_of(gradients, hessians, constant_hessian, n_rows);
    std::vector<GrowSample> given;
    for (const Sample& own : samples) {
        std::span<const double> factors;
        if (own.multipliers) factors = {own.multipliers->data(), own.multipliers->shape(0)};
        check_noise(own.noise, views.size());
        given.push_back({!own.rows,
                         checked_rows(own.rows, n_rows),
                         factors,
                         own.round,
                         own.member,
                         own.noise,
                         own.repeats,
                         {}});
        if (own.facts) given.back().facts = remote_facts(*own.facts);
    }
    const ReleasedGil released;
    grower->grow(views, given);
    std::vector<GrownTrees> grown;
    for (std::size_t i = 0; i < given.size(); ++i)
        grown.emplace_back(grower, leaf_width, i, given.size());
    return grown;
}

GrownTrees grow(const std::shared_ptr<Grower>& grower, const Matrix& gradients,
                const std::optional<Matrix>& hessians, double constant_hessian, const Rows& rows,
                std::uint64_t round, std::int64_t leaf_width, const Multipliers& multipliers,
                const std::vector<double>& noise, bool repeats) {
    return std::move(grow_samples(grower, gradients, hessians, constant_hessian,
                                  {{rows, multipliers, round, 0, noise, repeats, {}}},
                                  leaf_width)[0]);
}

GrownTrees adopt(const std::shared_ptr<Grower>& grower, const Forest& forest,
                 std::int64_t iteration, const Array2<std::int32_t>& leaves,
                 const Matrix& gradients, const std::optional<Matrix>& hessians,
                 double constant_hessian) {
    const auto views = views_of(gradients, hessians, constant_hessian, grower->n_rows());
    const TreeArrays trees = forest.slice(iteration, iteration + 1);
    const ReleasedGil released;
    grower->adopt(trees, {leaves.data(), leaves.size()}, views);
    return GrownTrees(grower, trees.leaf_width);
}

void check_scores(const Out2<double>& scores, std::int64_t n_outputs, std::int64_t n_rows) {
    if (static_cast<std::int64_t>(scores.shape(0)) != n_outputs ||
        static_cast<std::int64_t>(scores.shape(1)) != n_rows)
        throw InputError("scores must have the shape (" + std::to_string(n_outputs) + ", " +
                         std::to_string(n_rows) + "). Got (" + std::to_string(scores.shape(0)) +
                         ", " + std::to_string(scores.shape(1)) + ").");
}

// The node of each tree where each row ends, (n_trees, n_rows), in the smallest integer type.
template <class Number>
nb::object leaf_numbers(const GrownTrees& trees, const BinnedMatrix* binned) {
    const auto n_trees = static_cast<std::size_t>(trees.n_trees()),
               n_rows = static_cast<std::size_t>(binned ? binned->n_rows() : trees.n_rows());
    std::vector<Number> leaves(n_trees * n_rows);
    {
        const ReleasedGil released;
        for (std::size_t t = 0; t < n_trees; ++t) {
            Number* own = leaves.data() + t * n_rows;
            const auto note = [&](std::int64_t row, std::int64_t node) {
                own[row] = static_cast<Number>(node);
            };
            if (binned)
                trees.for_each_leaf(static_cast<std::int64_t>(t), *binned, note);
            else
                trees.for_each_leaf(static_cast<std::int64_t>(t), note);
        }
    }
    return nb::cast(to_numpy(std::move(leaves), {n_trees, n_rows}));
}

nb::object leaves_of_rows(const GrownTrees& trees,
                          const std::shared_ptr<const BinnedMatrix>& binned) {
    std::int64_t largest = 0;
    const auto& offsets = trees.arrays().tree_offsets;
    for (std::size_t t = 0; t + 1 < offsets.size(); ++t)
        largest = std::max(largest, offsets[t + 1] - offsets[t]);
    if (largest <= 1 << 8) return leaf_numbers<std::uint8_t>(trees, binned.get());
    if (largest <= 1 << 16) return leaf_numbers<std::uint16_t>(trees, binned.get());
    return leaf_numbers<std::uint32_t>(trees, binned.get());
}

void bind_grown_trees(nb::module_& m) {
    nb::class_<GrownTrees>(m, "GrownTrees", "The trees of one round, between growth and the model.")
        .def("begin_steps", &begin_steps, nb::arg("gradients"), nb::arg("hessians").none(),
             nb::arg("constant_hessian"), nb::arg("log_link_power").none() = nb::none(),
             nb::arg("others") = false, "Write the first of several Newton steps into every leaf.")
        .def("step", &step, nb::arg("gradients"), nb::arg("hessians").none(),
             nb::arg("constant_hessian"), nb::arg("log_link_power").none() = nb::none(),
             "Make one more Newton step, with gradients at the scores that include the leaves.")
        .def("end_steps", &GrownTrees::end_steps, nb::arg("learning_rate"),
             "Complete the values of nodes after the last step, and multiply them.")
        .def(
            "fit_linear_leaves",
            [](GrownTrees& trees, const Matrix& gradients, const std::optional<Matrix>& hessians,
               double constant_hessian) {
                const auto views = views_of(gradients, hessians, constant_hessian, trees.n_rows());
                const ReleasedGil released;
                trees.fit_linear_leaves(views, 1.0, true);
            },
            nb::arg("gradients"), nb::arg("hessians").none(), nb::arg("constant_hessian"),
            "Fit the slopes of linear leaves; fit_residual_leaves then fits their constants.")
        .def("shorten_leaves", &GrownTrees::shorten_leaves, nb::arg("power").none(),
             nb::arg("tree_weight"),
             "Limit leaves that overshoot the minimum of a loss with a log link; without a power, "
             "that of a classification loss.")
        .def_prop_ro("n_trees", &GrownTrees::n_trees)
        .def_prop_ro("n_leaves",
                     [](const GrownTrees& self) {
                         nb::list out;
                         const TreeArrays& arrays = self.arrays();
                         for (std::size_t t = 0; t + 1 < arrays.tree_offsets.size(); ++t)
                             out.append((arrays.tree_offsets[t + 1] - arrays.tree_offsets[t] + 1) /
                                        2);
                         return out;
                     })
        .def(
            "arrays", [](const GrownTrees& self) { return copied_trees(self.arrays()); },
            "Copies of the trees' arrays, as Forest takes them.")
        .def("leaves", &leaves_of_rows, nb::arg("binned").none() = nb::none(),
             "The node of each tree where each row of the training table ends, or of another table "
             "with the same bins: (n_trees, n_rows), in the smallest unsigned integers.")
        .def(
            "add_to_scores",
            [](const GrownTrees& self, const Out2<double>& scores,
               const std::optional<Out2<double>>& moved) {
                check_scores(scores, self.n_outputs(), self.n_rows());
                if (moved) check_scores(*moved, self.n_outputs(), self.n_rows());
                const ReleasedGil released;
                self.add_to_scores(scores.data(), moved ? moved->data() : scores.data());
            },
            nb::arg("scores").noconvert(), nb::arg("moved").noconvert().none() = nb::none(),
            "Add the trees to the scores (n_outputs, n_rows) of the training rows, in place or in "
            "an array of their own.")
        .def(
            "add_to_binned_scores",
            [](const GrownTrees& self, const std::shared_ptr<const BinnedMatrix>& binned,
               const Out2<double>& scores) {
                check_scores(scores, self.n_outputs(), binned->n_rows());
                const ReleasedGil released;
                self.add_to_binned_scores(*binned, scores.data());
            },
            nb::arg("binned"), nb::arg("scores").noconvert(),
            "Add the trees to the scores of another table with the same bins, in place.");
}

void bind_grower(nb::module_& m) {
    nb::class_<Sample>(m, "GrowSample", "The rows that the trees of a member of a round see.")
        .def(
            "__init__",
            [](Sample* self, Rows rows, Multipliers multipliers, std::uint64_t round,
               std::uint64_t member, std::vector<double> noise, bool repeats,
               std::optional<PlainFacts> facts) {
                new (self) Sample{std::move(rows),
                                  std::move(multipliers),
                                  round,
                                  member,
                                  std::move(noise),
                                  repeats,
                                  facts};
            },
            nb::kw_only(), nb::arg("rows").none(), nb::arg("multipliers").none() = nb::none(),
            nb::arg("round"), nb::arg("member") = 0, nb::arg("noise") = std::vector<double>{},
            nb::arg("repeats") = true, nb::arg("facts").none() = nb::none(),
            "repeats: multipliers count rows, as in bootstraps. facts: those of the weights of "
            "rows elsewhere (bind/plain_exchange.hpp).");

    nb::class_<GrowerTable>(m, "GrowerTable", "What trees are grown on.")
        .def(nb::new_(&local_table), nb::arg("binned"), nb::arg("ranked").none() = nb::none(),
             nb::arg("regressors").none() = nb::none(), nb::arg("of_leaves").none() = nb::none(),
             "A table in this process. of_leaves: a table of the same rows and bins that decides "
             "the leaf of each row.")
        .def_static(
            "of_ranked",
            [](const std::shared_ptr<const RankedColumns>& ranked,
               std::shared_ptr<const Regressors> regressors) {
                GrowerTable table = local_table(table_without_codes(ranked), ranked,
                                                std::move(regressors), nullptr);
                table.has_codes = false;
                return table;
            },
            nb::arg("ranked"), nb::arg("regressors").none() = nb::none(),
            "Sorted columns without bins: trees propose their own candidates.")
        .def_static("remote", &remote_table, nb::arg("exchange"), nb::arg("mapper"),
                    nb::arg("n_rows"), "Rows that only an exchange reaches.")
        .def_static(
            "of_rows",
            [](std::int64_t n_rows) {
                GrowerTable table;
                table.n_rows = n_rows;
                return table;
            },
            nb::arg("n_rows"), "Rows without columns: trees can only be adopted.");

    nb::class_<Grower>(m, "Grower",
                       "Grows trees on one table; keeps its buffers from round to round.")
        .def(nb::new_(&make_grower), nb::arg("table"), nb::arg("plan"), nb::arg("weights").none(),
             nb::arg("n_threads"))
        .def_prop_ro("vector_leaves", [](const Grower& self) { return self.plan().vector_leaves; })
        .def("grow", &grow, nb::arg("gradients"), nb::arg("hessians").none(),
             nb::arg("constant_hessian"), nb::arg("rows").none(), nb::arg("round"),
             nb::arg("leaf_width") = 1, nb::arg("multipliers").none() = nb::none(),
             nb::arg("noise") = std::vector<double>{}, nb::arg("repeats") = true,
             "Grow one tree for each row of gradients (n_trees, n_rows); leaf_width outputs share "
             "a tree.")
        .def("grow_samples", &grow_samples, nb::arg("gradients"), nb::arg("hessians").none(),
             nb::arg("constant_hessian"), nb::arg("samples"), nb::arg("leaf_width") = 1,
             "The same for each of several samples, whose trees grow at the same time where there "
             "are threads for it.")
        .def("adopt", &adopt, nb::arg("forest"), nb::arg("iteration"), nb::arg("leaves"),
             nb::arg("gradients"), nb::arg("hessians").none(), nb::arg("constant_hessian"),
             "Adopt the trees of an iteration as if they had been grown on these rows; leaves "
             "(n_rows, n_trees): the leaf of each row. Thresholds are not adopted.");
}

} // namespace

void bind_tree(nb::module_& m) {
    bind_grown_trees(m);
    bind_grower(m);

    m.def(
        "make_leaves_monotone",
        [](const Array1<std::int64_t>& tree_offsets, const Array1<std::int32_t>& feature,
           const Array1<double>& threshold, const Array1<std::int32_t>& left,
           const Array1<std::int32_t>& right, const std::vector<std::int8_t>& directions,
           const Out1<double>& value) {
            for (std::size_t t = 0; t + 1 < tree_offsets.shape(0); ++t) {
                const auto begin = static_cast<std::size_t>(tree_offsets.data()[t]),
                           n = static_cast<std::size_t>(tree_offsets.data()[t + 1]) - begin;
                make_leaves_monotone({{feature.data() + begin, n},
                                      {left.data() + begin, n},
                                      {right.data() + begin, n},
                                      {threshold.data() + begin, n}},
                                     directions, {value.data() + begin, n});
            }
        },
        nb::arg("tree_offsets"), nb::arg("feature"), nb::arg("threshold"), nb::arg("left"),
        nb::arg("right"), nb::arg("directions"), nb::arg("value").noconvert(),
        "Make the leaves of trees monotone, in place.");

    m.def(
        "fit_constant_leaves",
        [](GrownTrees& grown, const Matrix& gradients, const std::optional<Matrix>& hessians,
           double constant_hessian, double learning_rate, bool others) {
            const auto views = views_of(gradients, hessians, constant_hessian, grown.n_rows());
            const ReleasedGil released;
            grown.fit_constant(views, learning_rate, others);
        },
        nb::arg("grown"), nb::arg("gradients"), nb::arg("hessians").none(),
        nb::arg("constant_hessian"), nb::arg("learning_rate"), nb::arg("others") = false,
        "Set every leaf to its best constant times the learning rate. others: the gradients are "
        "not those that the trees were grown from.");
}

} // namespace ceiba
