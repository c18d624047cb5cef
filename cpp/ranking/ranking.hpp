// Gradients of ranking losses: pairwise forces between the documents of a query.
//
// For each pair of documents of one query with different relevance, the better one is pushed up and
// the other one down, by the slope of log(1 + exp(-(score of the better - of the other))):
//
//   pairwise   every pair has the same weight (RankNet)
//   ndcg, map  the weight of a pair is the change of the metric when the two swap places
//   (LambdaRank)
//
// Queries are independent of each other and run in parallel. Within a query, pairs are summed in
// the order of scores and relevances, never in row order: see ranked_query.hpp.
#pragma once

#include "ranking/ranked_query.hpp"

namespace ceiba {

enum class RankingMeasure { pairwise, ndcg, map };

struct RankingPlan {
    RankingMeasure measure = RankingMeasure::ndcg;
    // a pair needs a document among the first `truncation`; 0: any pair
    int64_t truncation = 30;
    bool normalize = true;         // see ranking.cpp
    bool exponential_gains = true; // ndcg: 2^label - 1 instead of the label
    bool normalize_scores = true;  // ndcg, map: divide by the score difference
};

void ranking_gradients(const RankingPlan& plan, const QueryRows& queries, const double* scores,
                       const double* target, double* gradients, double* hessians, int n_threads);

// Losses of the pairwise objective. Each of the two rows of a pair gets half of its loss.
void pairwise_losses(const RankingPlan& plan, const QueryRows& queries, const double* scores,
                     const double* target, double* losses, int n_threads);

} // namespace ceiba
