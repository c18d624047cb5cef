// Messages of an exchange as plain numbers and arrays, which can be sent to another process.
//
//   gradients  (output, whether hessians differ, the constant hessian)
//   weights    (sample, whether there are weights, whole, counted, largest)
//   measured   float64 [6]: largest |gradient|, largest hessian, finite, negative, rows, repeats
//   order      the fields of PackOrder by name, each a float64 that holds it exactly
//   packed     int64 [7], which are summed: gradient, hessian, count, and two tail facts of each of
//              gradients and hessians
//   splits     int64 [n, 6]: node, left, right, feature, last code, missing left; and n sets
//   routes     int64 [n, 5]: left, right, feature (-1: a leaf), last code, missing left; and n sets
//   leaf sums  (gradient scale, hessian scale, whether to sum hessians, unit, remainder)
//   sets       a list with a uint64 array of words, or None, for each
#pragma once

#include "base/errors.hpp"
#include "bind/arrays.hpp"
#include "rows/exchange.hpp"

#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <type_traits>
#include <vector>

namespace ceiba {

using PlainView = std::tuple<int, bool, double>;
using PlainFacts = std::tuple<int, bool, bool, bool, double>;
using PlainLeafOrder = std::tuple<double, double, bool, double, bool>;
using PlainOrder = std::map<std::string, double>;
using PlainSet = std::optional<std::vector<std::uint64_t>>;

inline PlainFacts plain(const WeightFacts& facts) {
    return {facts.sample, facts.weights != nullptr, facts.whole, facts.counted, facts.largest};
}

inline PlainView plain(const GradientView& view) {
    return {view.output, view.hessians != nullptr, view.constant_hessian};
}

inline PlainLeafOrder plain(const LeafSumOrder& order) {
    return {order.gradient_scale, order.hessian_scale, order.hessians, order.unit, order.remainder};
}

inline LeafSumOrder leaf_order_from(const PlainLeafOrder& given) {
    return {std::get<0>(given), std::get<1>(given), std::get<2>(given), std::get<3>(given),
            std::get<4>(given)};
}

inline WeightFacts facts_from(const double* weights, const PlainFacts& facts) {
    return {weights, std::get<2>(facts), std::get<3>(facts), std::get<4>(facts),
            std::get<0>(facts)};
}

// Facts about weights that are elsewhere: the pointer only says that there are some.
inline WeightFacts remote_facts(const PlainFacts& facts) {
    static const double elsewhere = 1;
    return facts_from(std::get<1>(facts) ? &elsewhere : nullptr, facts);
}

// The one list of the fields of an order. Order: PackOrder, or const of it.
template <class Order, class Visit>
void for_each_field(Order& order, Visit visit) {
    auto& p = order.packing;
    visit("form", p.form);
    visit("constant_hessian", p.constant_hessian);
    visit("count_bits", p.count_bits);
    visit("hessian_bits", p.hessian_bits);
    visit("gradient_unit", p.gradient_unit);
    visit("hessian_unit", p.hessian_unit);
    visit("block_rows", p.block_rows);
    visit("centered", p.centered);
    visit("n_outputs", p.outputs.n);
    visit("own_hessians", p.outputs.own_hessians);
    visit("output", order.output);
    visit("gradient_scale", order.gradient_scale);
    visit("hessian_scale", order.hessian_scale);
    visit("gradient_limit", order.gradient_limit);
    visit("hessian_limit", order.hessian_limit);
    visit("keep_hessian", order.keep_hessian);
}

inline PlainOrder plain(const PackOrder& order) {
    PlainOrder fields;
    for_each_field(order, [&](const char* name, const auto& field) {
        fields[name] = static_cast<double>(field);
    });
    return fields;
}

inline PackOrder order_from(const PlainOrder& fields) {
    PackOrder order;
    for_each_field(order, [&]<class T>(const char* name, T& field) {
        const auto found = fields.find(name);
        if (found == fields.end())
            throw InputError(std::string("the order to pack rows lacks '") + name + "'.");
        if constexpr (std::is_enum_v<T>)
            field = static_cast<T>(static_cast<int>(found->second));
        else
            field = static_cast<T>(found->second);
    });
    return order;
}

inline std::vector<double> plain(const Measured& measured) {
    const Extent& extent = measured.extent;
    return {extent.gradient,
            extent.hessian,
            extent.finite ? 1.0 : 0.0,
            extent.negative ? 1.0 : 0.0,
            static_cast<double>(measured.n_rows),
            static_cast<double>(measured.repeats)};
}

inline Measured measured_from(const double* given) {
    Measured measured;
    measured.extent = {given[0], given[1], given[2] != 0, given[3] != 0};
    measured.n_rows = static_cast<std::int64_t>(given[4]);
    measured.repeats = static_cast<std::int64_t>(given[5]);
    return measured;
}

inline std::vector<std::int64_t> plain(const PackSums& sums) {
    return {sums.sums.gradient,  sums.sums.hessian,     sums.sums.count,   sums.gradient.absolute,
            sums.gradient.zeros, sums.hessian.absolute, sums.hessian.zeros};
}

inline PackSums sums_from(const std::int64_t* given) {
    return {{given[0], given[1], given[2]}, {given[3], given[4]}, {given[5], given[6]}};
}

inline PlainSet plain_set(const Decision& decision) {
    if (!decision.set) return std::nullopt;
    return std::vector<std::uint64_t>(decision.set->words().begin(), decision.set->words().end());
}

inline Decision decision_from(std::int64_t feature, std::int64_t last, std::int64_t missing_left,
                              const PlainSet& set) {
    return {static_cast<int>(feature), static_cast<Code>(last), missing_left != 0,
            set ? std::make_shared<const CodeSet>(*set) : nullptr};
}

} // namespace ceiba
