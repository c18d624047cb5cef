// Bindings of plans, by field name.
#include "tree/plan.hpp"

#include "base/errors.hpp"
#include "bind/arrays.hpp"
#include "tree/search_limits.hpp"

#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <map>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

namespace ceiba {

namespace {

// The only list of plan fields that Python sets.
template <class Visit>
void for_each_field(Visit visit) {
    visit("grow_policy", &GrowPlan::grow_policy);
    visit("max_depth", &GrowPlan::max_depth);
    visit("max_leaves", &GrowPlan::max_leaves);
    visit("min_samples_leaf", &GrowPlan::min_samples_leaf);
    visit("min_child_weight", &GrowPlan::min_child_weight);
    visit("reg_lambda", &GrowPlan::reg_lambda);
    visit("reg_alpha", &GrowPlan::reg_alpha);
    visit("min_split_gain", &GrowPlan::min_split_gain);
    visit("max_delta_step", &GrowPlan::max_delta_step);
    visit("colsample_bytree", &GrowPlan::colsample_bytree);
    visit("colsample_bylevel", &GrowPlan::colsample_bylevel);
    visit("colsample_bynode", &GrowPlan::colsample_bynode);
    visit("seed", &GrowPlan::seed);
    visit("weighted_counts", &GrowPlan::weighted_counts);
    visit("min_samples_split", &GrowPlan::min_samples_split);
    visit("columns_bynode", &GrowPlan::columns_bynode);
    visit("columns_bypath", &GrowPlan::columns_bypath);
    visit("draw_until_split", &GrowPlan::draw_until_split);
    visit("prune_after", &GrowPlan::prune_after);
    visit("min_impurity_decrease", &GrowPlan::min_impurity_decrease);
    visit("min_weight_fraction_leaf", &GrowPlan::min_weight_fraction_leaf);
    visit("ccp_alpha", &GrowPlan::ccp_alpha);
    visit("penalize_bounded", &GrowPlan::penalize_bounded);
    visit("own_units", &GrowPlan::own_units);
    visit("unit_hessians", &GrowPlan::unit_hessians);
    visit("drop_hopeless_columns", &GrowPlan::drop_hopeless_columns);
    visit("estimate_rows", &GrowPlan::estimate_rows);
    visit("extra_trees", &GrowPlan::extra_trees);
    visit("leaves_of_all_rows", &GrowPlan::leaves_of_all_rows);
    visit("penalize_steps", &GrowPlan::penalize_steps);
    visit("backtrack", &GrowPlan::backtrack);
    visit("score", &GrowPlan::score);
    visit("columns", &GrowPlan::columns);
    visit("sketch_eps", &GrowPlan::sketch_eps);
    visit("approx_scope", &GrowPlan::approx_scope);
    visit("category", &GrowPlan::category);
    visit("vector_leaves", &GrowPlan::vector_leaves);
    visit("linear_gain", &GrowPlan::linear_gain);
    visit("linear_leaves", &GrowPlan::linear_leaves);
    visit("linear_columns", &GrowPlan::linear_columns);
    visit("max_linear_features", &GrowPlan::max_linear_features);
    visit("linear_lambda", &GrowPlan::linear_lambda);
    visit("shrink_slopes", &GrowPlan::shrink_slopes);
    visit("extrapolate_linear_leaves", &GrowPlan::extrapolate_linear_leaves);
}

template <class T>
T value_of(nb::handle given, const char* name) {
    T value;
    if (!nb::try_cast<T>(given, value))
        throw nb::type_error((std::string(name) + " of a plan has the wrong type.").c_str());
    return value;
}

template <class T>
void set(T& field, nb::handle given, const char* name) {
    field = value_of<T>(given, name);
}

template <class T>
T choice(const char* name, const std::string& text,
         std::initializer_list<std::pair<const char*, T>> choices) {
    std::string known;
    for (const auto& [word, value] : choices) {
        if (text == word) return value;
        known += (known.empty() ? "'" : ", '") + std::string(word) + "'";
    }
    throw InputError(std::string(name) + " must be one of " + known + ". Got '" + text + "'.");
}

void set(GrowPolicy& field, nb::handle given, const char* name) {
    field = choice<GrowPolicy>(name, value_of<std::string>(given, name),
                               {{"leafwise", GrowPolicy::leafwise},
                                {"depthwise", GrowPolicy::depthwise},
                                {"symmetric", GrowPolicy::symmetric},
                                {"depthfirst", GrowPolicy::depthfirst}});
}

void set(SplitScore& field, nb::handle given, const char* name) {
    field = choice<SplitScore>(name, value_of<std::string>(given, name),
                               {{"newton", SplitScore::newton},
                                {"cosine", SplitScore::cosine},
                                {"entropy", SplitScore::entropy}});
}

void set(ApproxScope& field, nb::handle given, const char* name) {
    field = choice<ApproxScope>(name, value_of<std::string>(given, name),
                                {{"tree", ApproxScope::tree}, {"node", ApproxScope::node}});
}

void set(LinearColumns& field, nb::handle given, const char* name) {
    field = choice<LinearColumns>(name, value_of<std::string>(given, name),
                                  {{"path", LinearColumns::path},
                                   {"tree", LinearColumns::tree},
                                   {"given", LinearColumns::given}});
}

std::vector<std::uint8_t> kinds_of(const std::vector<std::string>& names) {
    std::vector<std::uint8_t> kinds;
    for (const std::string& name : names)
        kinds.push_back(
            static_cast<std::uint8_t>(choice<CategoryKind>("the kind of a column", name,
                                                           {{"number", CategoryKind::number},
                                                            {"onehot", CategoryKind::onehot},
                                                            {"subset", CategoryKind::subset}})));
    return kinds;
}

void init_plan(GrowPlan* self, const nb::kwargs& given) {
    GrowPlan plan;
    for (const auto& item : given) {
        const auto name = nb::cast<std::string>(item.first);
        const nb::handle value = item.second;
        bool known = false;
        for_each_field([&](const char* field, auto member) {
            if (name != field) return;
            set(plan.*member, value, field);
            known = true;
        });
        if (!known) throw nb::type_error(("A plan has no field called " + name + ".").c_str());
    }
    const double eps = plan.sketch_eps;
    if (!(eps >= 0 && eps <= 0.5) || (eps > 0 && eps < 1e-4))
        throw InputError("sketch_eps must be between 0.0001 and 0.5, or 0. Got " +
                         std::to_string(eps) + ".");
    // Approx has no bins for levels without rows, so these levels cannot count.
    if (eps > 0) plan.category.absent_count = false;
    new (self) GrowPlan(std::move(plan));
}

void bind_search_limits(nb::module_& m) {
    m.def(
        "search_limits",
        [] {
            std::map<std::string, std::vector<std::string>> limits;
            for (const SearchLimits& own : search_limits())
                limits[std::string(own.search)] = {own.unsupported.begin(), own.unsupported.end()};
            return limits;
        },
        "The settings that each split search does not support, by name.");
}

} // namespace

void bind_plan(nb::module_& m) {
    nb::class_<ColumnConstraints>(m, "ColumnConstraints", "Rules for single columns.")
        .def(
            "__init__",
            [](ColumnConstraints* self, std::vector<std::int8_t> monotone,
               std::vector<std::vector<int>> interactions, std::vector<double> weights,
               bool listed_only, const std::vector<std::string>& kinds) {
                new (self) ColumnConstraints{std::move(monotone), std::move(interactions),
                                             std::move(weights), listed_only, kinds_of(kinds)};
            },
            nb::kw_only(), nb::arg("monotone") = std::vector<std::int8_t>{},
            nb::arg("interactions") = std::vector<std::vector<int>>{},
            nb::arg("weights") = std::vector<double>{}, nb::arg("listed_only") = false,
            nb::arg("kinds") = std::vector<std::string>{})
        .def_ro("monotone", &ColumnConstraints::monotone)
        .def_ro("interactions", &ColumnConstraints::interactions)
        .def_ro("weights", &ColumnConstraints::weights)
        .def_ro("listed_only", &ColumnConstraints::listed_only)
        .def("__repr__", [](const ColumnConstraints&) { return "ColumnConstraints()"; });

    nb::class_<CategoryRule>(m, "CategoryRule", "How splits divide the levels of categories.")
        .def(
            "__init__",
            [](CategoryRule* self, double smooth, double l2, int max_levels, bool halves,
               bool parted, double min_group, double support, int min_levels, bool by_constant,
               const std::string& missing) {
                new (self) CategoryRule{smooth,
                                        l2,
                                        max_levels,
                                        halves,
                                        parted,
                                        min_group,
                                        support,
                                        min_levels,
                                        by_constant,
                                        true,
                                        choice<MissingLevel>("missing", missing,
                                                             {{"level", MissingLevel::level},
                                                              {"right", MissingLevel::right},
                                                              {"either", MissingLevel::either}})};
            },
            nb::kw_only(), nb::arg("smooth") = 10.0, nb::arg("l2") = 0.0,
            nb::arg("max_levels") = 32, nb::arg("halves") = true, nb::arg("parted") = false,
            nb::arg("min_group") = 1.0, nb::arg("support") = 0.0, nb::arg("min_levels") = 1,
            nb::arg("by_constant") = false, nb::arg("missing") = "level");

    nb::class_<LinearRule>(m, "LinearRule", "Parameters of linear models in the gain.")
        .def(
            "__init__",
            [](LinearRule* self, const std::string& fit, int max_features, double linear_lambda,
               std::optional<std::vector<int>> features, BinValues values) {
                LinearRule rule{choice<LinearFit>("fit", fit,
                                                  {{"none", LinearFit::none},
                                                   {"additive", LinearFit::additive},
                                                   {"half_additive", LinearFit::half_additive},
                                                   {"full", LinearFit::full}}),
                                max_features, linear_lambda};
                rule.given = features.has_value();
                if (features) rule.features = std::move(*features);
                rule.values = std::move(values);
                for (const int feature : rule.features)
                    if (feature < 0 || feature >= std::ssize(rule.values) ||
                        !rule.may_regress(feature))
                        throw InputError(
                            "A given regressor must be a numeric column that is not constant.");
                new (self) LinearRule(std::move(rule));
            },
            nb::kw_only(), nb::arg("fit") = "none", nb::arg("max_features") = 5,
            nb::arg("linear_lambda") = 0.0, nb::arg("features").none() = nb::none(),
            nb::arg("values") = BinValues{});

    nb::class_<GrowPlan> plan(m, "GrowPlan", "Limits and rules of a tree, by field name.");
    plan.def("__init__", &init_plan, nb::arg("fields"));
    for_each_field([&]<class T>(const char* name, T GrowPlan::* member) {
        if constexpr (std::is_arithmetic_v<T>) plan.def_ro(name, member);
    });
    bind_search_limits(m);
}

} // namespace ceiba
