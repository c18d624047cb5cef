#include "ranking/ranked_query.hpp"

#include "base/math.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

namespace ceiba {

void RankedQuery::sort_and_group() {
    // The row number only makes the order total. No later computation depends on it.
    std::sort(documents_.begin(), documents_.end(),
              [](const RankedDocument& a, const RankedDocument& b) {
                  if (a.score != b.score) return a.score > b.score;
                  if (a.relevance != b.relevance) return a.relevance > b.relevance;
                  return a.row < b.row;
              });
    entries_.clear();
    groups_.clear();
    ideal_.clear();
    int64_t position = 0;
    for (const RankedDocument& document : documents_) {
        const bool tied = !entries_.empty() && entries_.back().score == document.score;
        if (!tied)
            groups_.push_back({position, position, std::ssize(entries_), std::ssize(entries_)});
        if (tied && entries_.back().relevance == document.relevance) {
            entries_.back().count += 1.0;
        } else {
            entries_.push_back(
                {document.score, document.relevance, 1.0, std::ssize(groups_) - 1, position});
            groups_.back().last_entry = std::ssize(entries_);
        }
        groups_.back().end = ++position;
        ideal_.push_back(document.relevance);
    }
    std::sort(ideal_.begin(), ideal_.end(), std::greater<>());
}

double gain_of(double label, bool exponential) {
    // Labels are whole numbers up to 31 here, so the power is exact.
    return exponential ? std::ldexp(1.0, static_cast<int>(label)) - 1.0 : label;
}

std::vector<double> make_discounts(int64_t n) {
    std::vector<double> discounts(static_cast<std::size_t>(n));
    const double log_2 = math::log(2.0);
    for (int64_t i = 0; i < n; ++i)
        discounts[static_cast<std::size_t>(i)] = log_2 / math::log(static_cast<double>(i) + 2.0);
    return discounts;
}

int64_t largest_query(const QueryRows& queries) {
    int64_t largest = 0;
    for (int64_t q = 0; q < queries.n_queries; ++q) largest = std::max(largest, queries.size(q));
    return largest;
}

} // namespace ceiba
