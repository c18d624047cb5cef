// The rows that a rule takes, in increasing order.
#pragma once

#include "parallel/rows.hpp"
#include "sample/rows.hpp"

#include <cstdint>
#include <vector>

namespace ceiba {

// takes(i): whether the i-th of n is taken. row_of(i): its number.
template <class Takes, class RowOf>
std::vector<std::int32_t> collect_rows(std::int64_t n, int n_threads, Takes takes, RowOf row_of) {
    const auto parts = parts_of_rows(n, n_threads, [&](std::int64_t begin, std::int64_t end) {
        std::vector<std::int32_t> part(static_cast<std::size_t>(end - begin));
        std::size_t at = 0;
        for (std::int64_t i = begin; i < end; ++i) {
            part[at] = row_of(i);
            at += takes(i);
        }
        part.resize(at);
        return part;
    });
    std::size_t n_taken = 0;
    for (const auto& part : parts) n_taken += part.size();
    std::vector<std::int32_t> rows;
    rows.reserve(n_taken);
    for (const auto& part : parts) rows.insert(rows.end(), part.begin(), part.end());
    return rows;
}

// multiplier_of(row): 0 where it is not taken.
template <class MultiplierOf>
SampledRows collect_multiplied(std::int64_t n_rows, int n_threads, MultiplierOf multiplier_of) {
    const auto parts = parts_of_rows(n_rows, n_threads, [&](std::int64_t begin, std::int64_t end) {
        SampledRows part;
        part.rows.resize(static_cast<std::size_t>(end - begin));
        part.multipliers.resize(part.rows.size());
        std::size_t at = 0;
        for (std::int64_t row = begin; row < end; ++row) {
            const double multiplier = multiplier_of(row);
            part.rows[at] = static_cast<std::int32_t>(row);
            part.multipliers[at] = multiplier;
            at += multiplier != 0;
        }
        part.rows.resize(at);
        part.multipliers.resize(at);
        return part;
    });
    std::size_t n_taken = 0;
    for (const auto& part : parts) n_taken += part.rows.size();
    SampledRows all;
    all.rows.reserve(n_taken);
    all.multipliers.reserve(n_taken);
    for (const auto& part : parts) {
        all.rows.insert(all.rows.end(), part.rows.begin(), part.rows.end());
        all.multipliers.insert(all.multipliers.end(), part.multipliers.begin(),
                               part.multipliers.end());
    }
    return all;
}

} // namespace ceiba
