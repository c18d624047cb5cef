#include "tree/search_limits.hpp"

#include "base/errors.hpp"

#include <string>

namespace ceiba {

namespace {

struct Setting {
    std::string_view name;
    bool (*is_on)(const GrowPlan& plan, const SearchFacts& facts);
};
using Plan = const GrowPlan&;
using Facts = const SearchFacts&;

bool ranks(Plan plan, Facts facts) {
    return plan.score == SplitScore::cosine || facts.noise;
}

constexpr Setting kSettings[] = {
    {"vector_leaves", [](Plan p, Facts) { return p.vector_leaves; }},
    {"vector_symmetric",
     [](Plan p, Facts) { return p.vector_leaves && p.grow_policy == GrowPolicy::symmetric; }},
    {"vector_ranked", [](Plan p, Facts f) { return p.vector_leaves && ranks(p, f); }},
    {"own_hessians", [](Plan p, Facts f) { return p.vector_leaves && f.own_hessians; }},
    {"extra_trees", [](Plan p, Facts) { return p.extra_trees; }},
    {"extra_ranked", [](Plan p, Facts f) { return p.extra_trees && ranks(p, f); }},
    {"cosine", [](Plan p, Facts) { return p.score == SplitScore::cosine; }},
    {"noise", [](Plan, Facts f) { return f.noise; }},
    {"monotone", [](Plan p, Facts) { return p.is_monotone(); }},
    {"exact", [](Plan p, Facts f) { return f.ranked && !(p.sketch_eps > 0); }},
    {"approx", [](Plan p, Facts f) { return f.ranked && p.sketch_eps > 0; }},
    {"lists", [](Plan, Facts f) { return f.lists; }},
    {"scored_lists", // column lists with a score other than the gain of one output
     [](Plan p, Facts f) { return f.lists && (p.vector_leaves || p.extra_trees || ranks(p, f)); }},
    {"shards", [](Plan, Facts f) { return f.shards; }},
    {"remote", [](Plan, Facts f) { return f.remote; }},
};

} // namespace

std::span<const SearchLimits> search_limits() {
    static const std::vector<SearchLimits> limits{
        {"hist", {"vector_ranked", "extra_ranked", "scored_lists"}},
        {"exact",
         {"vector_symmetric", "own_hessians", "extra_trees", "cosine", "noise", "lists", "shards"}},
        {"approx", {"vector_leaves", "extra_trees"}},
        {"approx_node", {"vector_leaves", "extra_trees", "cosine", "noise"}},
        {"linear",
         {"exact", "approx", "vector_leaves", "extra_trees", "cosine", "noise", "monotone", "lists",
          "remote"}},
    };
    return limits;
}

SearchKind search_of(const GrowPlan& plan, bool ranked) {
    if (plan.linear_gain.exists()) return SearchKind::linear;
    if (!ranked) return SearchKind::hist;
    if (!(plan.sketch_eps > 0)) return SearchKind::exact;
    const bool by_node =
        plan.approx_scope == ApproxScope::node && plan.grow_policy != GrowPolicy::symmetric;
    return by_node ? SearchKind::approx_node : SearchKind::approx;
}

void check_search(const GrowPlan& plan, const SearchFacts& facts) {
    const SearchLimits& own =
        search_limits()[static_cast<std::size_t>(search_of(plan, facts.ranked))];
    for (const Setting& setting : kSettings)
        if (setting.is_on(plan, facts))
            for (const std::string_view name : own.unsupported)
                if (name == setting.name)
                    throw InputError("split search '" + std::string(own.search) +
                                     "' does not support '" + std::string(name) +
                                     "'. Remove one of them.");
}

} // namespace ceiba
