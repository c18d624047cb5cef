// Bindings of ranking losses and metrics.
#include "ranking/ranking.hpp"

#include "base/errors.hpp"
#include "bind/arrays.hpp"
#include "bind/gil.hpp"
#include "gradient/exact_sum.hpp"
#include "metric/ranking_metrics.hpp"

#include <nanobind/stl/string.h>

#include <cmath>
#include <string>
#include <vector>

namespace ceiba {

namespace {

using Doubles = Array1<double>;
using Integers = Array1<int64_t>;

constexpr double kLargestLabel = 31.0; // with exponential gains

void check_size(const char* name, std::size_t given, std::size_t expected) {
    if (given != expected)
        throw InputError(std::string(name) + " must have " + std::to_string(expected) +
                         " values. Got " + std::to_string(given) + ".");
}

// Check that every row number of every query is a row of the scores, so that later reads are in
// bounds.
QueryRows checked_queries(const Integers& rows, const Integers& offsets, std::size_t n_rows) {
    const auto n = static_cast<int64_t>(rows.size());
    bool sound = offsets.size() > 0 && offsets.data()[0] == 0 &&
                 offsets.data()[offsets.size() - 1] == n && rows.size() == n_rows;
    for (std::size_t q = 1; sound && q < offsets.size(); ++q)
        sound = offsets.data()[q - 1] <= offsets.data()[q];
    std::vector<bool> seen(n_rows, false);
    for (std::size_t i = 0; sound && i < rows.size(); ++i) {
        const int64_t row = rows.data()[i];
        sound = row >= 0 && row < n && !seen[static_cast<std::size_t>(row)];
        if (sound) seen[static_cast<std::size_t>(row)] = true;
    }
    if (!sound)
        throw InputError("The queries must hold each of the " + std::to_string(n_rows) +
                         " rows exactly once. Make them with ceiba.queries.");
    return {rows.data(), offsets.data(), static_cast<int64_t>(offsets.size()) - 1};
}

void check_values(const Doubles& scores, const Doubles& target, bool whole_labels) {
    check_size("target", target.size(), scores.size());
    for (std::size_t i = 0; i < scores.size(); ++i) {
        const double label = target.data()[i];
        if (std::isnan(scores.data()[i]))
            throw InputError("The scores of a ranking must not be NaN. Got NaN in row " +
                             std::to_string(i) + ".");
        if (!std::isfinite(label) || label < 0.0 ||
            (whole_labels && (label > kLargestLabel || label != std::floor(label))))
            throw InputError(
                std::string(whole_labels ? "NDCG with exponential gains needs labels that are "
                                           "whole numbers from 0 to 31."
                                         : "Labels of a ranking must be 0 or more.") +
                " Got " + std::to_string(label) + " in row " + std::to_string(i) + "." +
                (whole_labels && label >= 0.0 ? " For other labels set ndcg_exp_gain=False, or "
                                                "choose metric map or mrr."
                                              : ""));
    }
}

RankingMeasure measure_of(const std::string& name) {
    if (name == "pairwise") return RankingMeasure::pairwise;
    if (name == "ndcg") return RankingMeasure::ndcg;
    if (name == "map") return RankingMeasure::map;
    throw InputError("The measure must be pairwise, ndcg or map. Got " + name + ".");
}

template <auto function>
void bind_metric(nb::module_& m, const char* name, const char* doc) {
    m.def(
        name,
        [](const Integers& rows, const Integers& offsets, const Doubles& target,
           const Doubles& scores, int64_t cutoff, double empty, bool exponential_gains,
           int n_threads) {
            check_values(scores, target, exponential_gains && function == ndcg_of_queries);
            const QueryRows queries = checked_queries(rows, offsets, scores.size());
            std::vector<double> out(static_cast<std::size_t>(queries.n_queries));
            {
                const ReleasedGil released;
                function({cutoff, empty, exponential_gains}, queries, scores.data(), target.data(),
                         out.data(), n_threads);
            }
            return to_numpy(std::move(out));
        },
        nb::arg("rows"), nb::arg("offsets"), nb::arg("target"), nb::arg("scores"),
        nb::arg("cutoff"), nb::arg("empty"), nb::arg("exponential_gains") = true,
        nb::arg("n_threads") = 1, doc);
}

} // namespace

void bind_ranking(nb::module_& m) {
    m.def(
        "ranking_gradients",
        [](const std::string& measure, int64_t truncation, bool normalize, bool normalize_scores,
           bool exponential_gains, const Integers& rows, const Integers& offsets,
           const Doubles& scores, const Doubles& target, Out1<double> gradients,
           Out1<double> hessians, int n_threads) {
            const RankingPlan plan{measure_of(measure), truncation, normalize, exponential_gains,
                                   normalize_scores};
            check_values(scores, target, plan.measure == RankingMeasure::ndcg && exponential_gains);
            check_size("out_gradients", gradients.size(), scores.size());
            check_size("out_hessians", hessians.size(), scores.size());
            const QueryRows queries = checked_queries(rows, offsets, scores.size());
            const ReleasedGil released;
            ranking_gradients(plan, queries, scores.data(), target.data(), gradients.data(),
                              hessians.data(), n_threads);
        },
        nb::arg("measure"), nb::arg("truncation"), nb::arg("normalize"),
        nb::arg("normalize_scores"), nb::arg("exponential_gains"), nb::arg("rows"),
        nb::arg("offsets"), nb::arg("scores"), nb::arg("target"),
        nb::arg("out_gradients").noconvert(), nb::arg("out_hessians").noconvert(),
        nb::arg("n_threads"),
        "Gradients and hessians of a ranking loss: forces between the documents of each query.");
    m.def(
        "pairwise_losses",
        [](bool normalize, const Integers& rows, const Integers& offsets, const Doubles& scores,
           const Doubles& target, int n_threads) {
            check_values(scores, target, false);
            const QueryRows queries = checked_queries(rows, offsets, scores.size());
            std::vector<double> out(scores.size());
            {
                const ReleasedGil released;
                pairwise_losses({RankingMeasure::pairwise, 0, normalize, false}, queries,
                                scores.data(), target.data(), out.data(), n_threads);
            }
            return to_numpy(std::move(out));
        },
        nb::arg("normalize"), nb::arg("rows"), nb::arg("offsets"), nb::arg("scores"),
        nb::arg("target"), nb::arg("n_threads") = 1,
        "Pairwise loss of each row: half of the loss of each of its pairs.");
    m.def(
        "mean_of_queries",
        [](const Integers& rows, const Integers& offsets, const Doubles& values) {
            const QueryRows queries = checked_queries(rows, offsets, values.size());
            std::vector<double> means(static_cast<std::size_t>(queries.n_queries));
            {
                const ReleasedGil released;
                std::vector<double> of_query;
                for (int64_t q = 0; q < queries.n_queries; ++q) {
                    const int64_t n = queries.size(q);
                    of_query.resize(static_cast<std::size_t>(n));
                    for (int64_t i = 0; i < n; ++i)
                        of_query[static_cast<std::size_t>(i)] = values.data()[queries.of(q)[i]];
                    means[static_cast<std::size_t>(q)] =
                        exact_sum(of_query.data(), nullptr, n) / static_cast<double>(n);
                }
            }
            return to_numpy(std::move(means));
        },
        nb::arg("rows"), nb::arg("offsets"), nb::arg("values"),
        "Mean over the rows of each query, independent of their order.");
    bind_metric<ndcg_of_queries>(m, "ndcg_of_queries",
                                 "NDCG of each query, the mean over all orders of tied documents.");
    bind_metric<average_precision_of_queries>(
        m, "average_precision_of_queries",
        "Average precision of each query, the mean over all orders of tied documents.");
    bind_metric<precision_of_queries>(
        m, "precision_of_queries",
        "Precision of each query, the mean over all orders of tied documents.");
    bind_metric<reciprocal_rank_of_queries>(
        m, "reciprocal_rank_of_queries",
        "Reciprocal rank of each query, the mean over all orders of tied documents.");
}

} // namespace ceiba
