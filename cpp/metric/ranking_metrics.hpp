// Measures of a ranking, one value for each query.
//
// Tied documents have no order: every value is the mean over all orders of tied documents, which
// makes it independent of the order of rows. A query without a relevant document (label above 0)
// has the value `empty`.
#pragma once

#include "ranking/ranked_query.hpp"

namespace ceiba {

// cutoff: only the first so many positions count; 0: all.
struct RankingMetricPlan {
    int64_t cutoff = 0;
    double empty = 1.0;
    bool exponential_gains = true; // ndcg: 2^label - 1 instead of the label
};

// Discounted gains of the order over those of the best order.
void ndcg_of_queries(const RankingMetricPlan& plan, const QueryRows& queries, const double* scores,
                     const double* target, double* out, int n_threads);

// Mean of the precision at each relevant document, over those that the cutoff could hold.
void average_precision_of_queries(const RankingMetricPlan& plan, const QueryRows& queries,
                                  const double* scores, const double* target, double* out,
                                  int n_threads);

// Share of relevant documents among those that the cutoff holds.
void precision_of_queries(const RankingMetricPlan& plan, const QueryRows& queries,
                          const double* scores, const double* target, double* out, int n_threads);

// One over the position of the first relevant document; 0 if the cutoff holds none.
void reciprocal_rank_of_queries(const RankingMetricPlan& plan, const QueryRows& queries,
                                const double* scores, const double* target, double* out,
                                int n_threads);

} // namespace ceiba
