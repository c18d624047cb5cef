// How much a measure of the ranking changes when two documents of a query change places.
//
// The life of swap weights:
//   1. One is made for each task and filled once for each query, by of_ndcg() or of_map().
//   2. weight(a, b) of two entries, a ranked above b or tied with it, is the mean change over all
//      orders of tied documents, counting only orders in which one of the two stands among the
//      first `truncation` positions. (Without ties it is just the change.)
//
// Positions of different tie groups are independent of each other, so the mean over all orders is
//     upper of a  -  share of a · lower of b
// where share is the part of a's positions that lie within the truncation. Tied documents have one
// mean for their group, `inner`. Each of these costs one pass over the positions.
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

    // False where nothing is left to gain: no relevant document, or no other.
    bool any() const { return scale_ > 0.0; }

    // Whether the entry, and so every one below it, is beyond the truncation.
    bool beyond(const RankedEntry& entry) const {
        return share_[static_cast<std::size_t>(entry.group)] == 0.0;
    }

    // The weight of entry a with each later one, for a difference of 1 in relevance.
    void fill(const RankedQuery& query, int64_t a, std::vector<double>& out) const;

  private:
    void reset(const RankedQuery& query);

    double scale_ = 0.0;
    std::vector<double> share_; // of each group
    std::vector<double> inner_; // of each group
    std::vector<double> upper_; // of each entry
    std::vector<double> lower_; // of each entry
};

} // namespace ceiba
