// Change of a ranking metric when two documents of a query swap places.
//
// The life of swap weights:
//   1. Each task has one and fills it once per query, by of_ndcg() or of_map().
//   2. weight(a, b) of two entries, a ranked above b or tied with it, is the mean change over all
//      orders of tied documents. Only orders in which one of the two is among the first
//      `truncation` positions count. (Without ties it is just the change.)
//
// Positions of different tie groups are independent of each other, so the mean over all orders is
//     upper of a  -  share of a · lower of b
// where share is the fraction of a's positions within the truncation. Tied documents have one mean
// per group, `inner`. Each of these costs one pass over the positions.
#pragma once

#include "ranking/ranked_query.hpp"

namespace ceiba {

class SwapWeights {
  public:
    // Change of NDCG for a difference of 1 in gain; relevances of the query are gains.
    void of_ndcg(const RankedQuery& query, const std::vector<double>& discounts,
                 int64_t truncation);

    // Change of average precision; relevances of the query are 0 and 1.
    void of_map(const RankedQuery& query, int64_t truncation);

    // False if no swap changes the metric: no relevant document, or no other.
    bool any() const { return scale_ > 0.0; }

    // Whether the entry, and so every later one, is beyond the truncation.
    bool beyond(const RankedEntry& entry) const {
        return share_[static_cast<std::size_t>(entry.group)] == 0.0;
    }

    // The weight of entry a paired with each later one, for a relevance difference of 1.
    void fill(const RankedQuery& query, int64_t a, std::vector<double>& out) const;

  private:
    void reset(const RankedQuery& query);

    double scale_ = 0.0;
    std::vector<double> share_; // per group
    std::vector<double> inner_; // per group
    std::vector<double> upper_; // per entry
    std::vector<double> lower_; // per entry
};

} // namespace ceiba
