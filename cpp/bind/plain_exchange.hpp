// Messages of an exchange as plain numbers and arrays, which can be sent to another process.
//
//   facts      (whole, counted, largest) of weights
//   measured   float64 [6]: largest |gradient|, largest hessian, finite, negative, rows, repeats
//   order      a tuple of the fields of PackOrder
//   packed     int64 [7], which are summed: gradient, hessian, count, and two tail facts of each of
//              gradients and hessians
//   splits     int64 [n, 6]: node, left, right, feature, last code, missing left; and n sets
//   routes     int64 [n, 5]: left, right, feature (-1: a leaf), last code, missing left; and n sets
//   sets       a list with a uint64 array of words, or None, for each
#pragma once

#include "bind/arrays.hpp"
#include "rows/exchange.hpp"

#include <optional>
#include <tuple>
#include <vector>

namespace ceiba {

using PlainFacts = std::tuple<bool, bool, double>;
using PlainOrder = std::tuple<int, bool, int, int, double, double, std::int64_t, double, double,
                              double, double, bool, std::tuple<int, bool, int>>;
using PlainSet = std::optional<std::vector<std::uint64_t>>;

inline PlainFacts plain(const WeightFacts& facts) {
    return {facts.whole, facts.counted, facts.largest};
}

inline WeightFacts facts_from(const double* weights, const PlainFacts& facts) {
    return {weights, std::get<0>(facts), std::get<1>(facts), std::get<2>(facts)};
}

inline PlainOrder plain(const PackOrder& order) {
    const Packing& p = order.packing;
    return {static_cast<int>(p.form),
            p.constant_hessian,
            p.count_bits,
            p.hessian_bits,
            p.gradient_unit,
            p.hessian_unit,
            p.block_rows,
            order.gradient_scale,
            order.hessian_scale,
            order.gradient_limit,
            order.hessian_limit,
            order.keep_hessian,
            {p.outputs.n, p.outputs.own_hessians, order.output}};
}

inline PackOrder order_from(const PlainOrder& given) {
    PackOrder order;
    Packing& p = order.packing;
    int form = 0;
    std::tuple<int, bool, int> outputs;
    std::tie(form, p.constant_hessian, p.count_bits, p.hessian_bits, p.gradient_unit,
             p.hessian_unit, p.block_rows, order.gradient_scale, order.hessian_scale,
             order.gradient_limit, order.hessian_limit, order.keep_hessian, outputs) = given;
    std::tie(p.outputs.n, p.outputs.own_hessians, order.output) = outputs;
    p.form = static_cast<Form>(form);
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
