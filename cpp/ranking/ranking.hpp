// Gradients of ranking losses: forces between the documents of a query.
//
// For each pair of documents of one query with different relevance, the better one is pushed up
// and the other one down, by the slope of log(1 + exp(-(score of the better - of the other))):
//
//   pairwise   every pair counts the same (RankNet)
//   ndcg, map  a pair counts as much as the measure changes when the two change places (LambdaRank)
//
// Queries are independent of each other and are shared out among the threads. Within a query pairs
// are summed in the order of scores and relevances, never of rows: see ranked_query.hpp.
#pragma once

#include "ranking/ranked_query.hpp"

namespace ceiba {

enum class RankingMeasure { pairwise, ndcg, map };

struct RankingPlan {
    RankingMeasure measure = RankingMeasure::ndcg;
    int64_t truncation = 30;       // a pair needs a document among the first so many; 0: any pair
    bool normalize = true;         // see ranking.cpp
    bool exponential_gains = true; // ndcg: 2^label - 1 instead of the label
    bool normalize_scores = true;  // ndcg, map: divide by the difference of the scores
};

void ranking_gradients(const RankingPlan& plan, const QueryRows& queries, const double* scores,
                       const double* target, double* gradients, double* hessians, int n_threads);

// The loss of measure pairwise; half of a pair's loss goes to each of its two rows.
void pairwise_losses(const RankingPlan& plan, const QueryRows& queries, const double* scores,
                     const double* target, double* losses, int n_threads);

} // namespace ceiba
