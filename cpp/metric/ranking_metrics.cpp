#include "metric/ranking_metrics.hpp"

#include "parallel/pool.hpp"

#include <algorithm>

namespace ceiba {

namespace {

constexpr int64_t kQueriesPerTask = 64;
constexpr int64_t kWorkPerRow = 16; // cost of sorting per row

double real(int64_t n) {
    return static_cast<double>(n);
}

double relevant_documents(const RankedQuery& query, const TieGroup& group) {
    double relevant = 0.0;
    for (int64_t e = group.first_entry; e < group.last_entry; ++e) {
        const RankedEntry& entry = query.entries()[static_cast<std::size_t>(e)];
        relevant += entry.relevance > 0.0 ? entry.count : 0.0;
    }
    return relevant;
}

// Rank each query by `relevance`, then out = value(query, last position that counts).
template <class Relevance, class Value>
void for_queries(const RankingMetricPlan& plan, const QueryRows& queries, const double* scores,
                 double* out, int n_threads, Relevance&& relevance, Value&& value) {
    const int64_t n_tasks = (queries.n_queries + kQueriesPerTask - 1) / kQueriesPerTask;
    const int64_t work = queries.offsets[queries.n_queries] * kWorkPerRow;
    parallel_for(useful_threads(n_threads, work), n_tasks, [&](int64_t task) {
        RankedQuery query;
        const int64_t last = std::min((task + 1) * kQueriesPerTask, queries.n_queries);
        for (int64_t q = task * kQueriesPerTask; q < last; ++q) {
            const int64_t size = queries.size(q);
            query.rank(scores, queries.of(q), size, relevance);
            const int64_t end = plan.cutoff > 0 ? std::min(plan.cutoff, size) : size;
            const bool empty = query.ideal().empty() || !(query.ideal().front() > 0.0);
            out[q] = empty ? plan.empty : value(query, end);
        }
    });
}

double average_precision(const RankedQuery& query, int64_t end) {
    double before = 0.0;
    double sum = 0.0;
    for (const TieGroup& group : query.groups()) {
        const double n = real(group.end - group.begin);
        const double relevant = relevant_documents(query, group);
        // Given a relevant document at this position, each other relevant document of its group is
        // before it with the probability (places before it) / (all places).
        const double others = n > 1.0 ? (relevant - 1.0) / (n - 1.0) : 0.0;
        for (int64_t i = group.begin; i < std::min(group.end, end); ++i)
            sum += relevant / n * (before + 1.0 + real(i - group.begin) * others) / real(i + 1);
        before += relevant;
    }
    return sum / std::min(before, real(end));
}

double precision(const RankedQuery& query, int64_t end) {
    double found = 0.0;
    for (const TieGroup& group : query.groups()) {
        const int64_t places = std::min(group.end, end) - group.begin;
        if (places <= 0) break;
        found += relevant_documents(query, group) * real(places) / real(group.end - group.begin);
    }
    return found / real(end);
}

double reciprocal_rank(const RankedQuery& query, int64_t end) {
    for (const TieGroup& group : query.groups()) {
        const double relevant = relevant_documents(query, group);
        if (relevant == 0.0) continue;
        double sum = 0.0;
        double none_before = 1.0; // P(no relevant document at the earlier places of the group)
        double left = real(group.end - group.begin);
        for (int64_t i = group.begin; i < std::min(group.end, end) && none_before > 0.0; ++i) {
            const double here = std::min(relevant / left, 1.0);
            sum += none_before * here / real(i + 1);
            none_before *= 1.0 - here;
            left -= 1.0;
        }
        return sum;
    }
    return 0.0;
}

} // namespace

void ndcg_of_queries(const RankingMetricPlan& plan, const QueryRows& queries, const double* scores,
                     const double* target, double* out, int n_threads) {
    const std::vector<double> discounts = make_discounts(largest_query(queries));
    const auto gain = [&](int64_t row) { return gain_of(target[row], plan.exponential_gains); };
    const auto value = [&](const RankedQuery& query, int64_t end) {
        double found = 0.0;
        for (const TieGroup& group : query.groups()) {
            double gains = 0.0;
            for (int64_t e = group.first_entry; e < group.last_entry; ++e) {
                const RankedEntry& entry = query.entries()[static_cast<std::size_t>(e)];
                gains += entry.count * entry.relevance;
            }
            const double mean = gains / real(group.end - group.begin);
            for (int64_t i = group.begin; i < std::min(group.end, end); ++i)
                found += mean * discounts[static_cast<std::size_t>(i)];
        }
        double best = 0.0;
        for (int64_t i = 0; i < end; ++i)
            best +=
                query.ideal()[static_cast<std::size_t>(i)] * discounts[static_cast<std::size_t>(i)];
        return std::min(found / best, 1.0);
    };
    for_queries(plan, queries, scores, out, n_threads, gain, value);
}

void average_precision_of_queries(const RankingMetricPlan& plan, const QueryRows& queries,
                                  const double* scores, const double* target, double* out,
                                  int n_threads) {
    const auto relevant = [&](int64_t row) { return target[row] > 0.0 ? 1.0 : 0.0; };
    for_queries(plan, queries, scores, out, n_threads, relevant, average_precision);
}

void precision_of_queries(const RankingMetricPlan& plan, const QueryRows& queries,
                          const double* scores, const double* target, double* out, int n_threads) {
    const auto relevant = [&](int64_t row) { return target[row] > 0.0 ? 1.0 : 0.0; };
    for_queries(plan, queries, scores, out, n_threads, relevant, precision);
}

void reciprocal_rank_of_queries(const RankingMetricPlan& plan, const QueryRows& queries,
                                const double* scores, const double* target, double* out,
                                int n_threads) {
    const auto relevant = [&](int64_t row) { return target[row] > 0.0 ? 1.0 : 0.0; };
    for_queries(plan, queries, scores, out, n_threads, relevant, reciprocal_rank);
}

} // namespace ceiba
