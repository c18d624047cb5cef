// The documents of one query sorted by score, independent of the row order.
//
// The life of a ranked query:
//   1. Each task has one and uses it for many queries, so that its buffers are allocated once.
//   2. rank() sorts the documents of a query by score, best first. Documents of equal score are
//      tied.
//   3. Tied documents share a TieGroup, the range of positions that they occupy. Whatever depends
//      on a position is averaged over all orders of the group.
//   4. Documents of equal score and relevance are indistinguishable: they share one Entry with a
//      count, and get bit-identical results.
//
//     position    0   1   2   3   4   5
//     score      .9  .7  .7  .7  .2  .2
//     relevance   0   2   1   1   0   0
//     entries     |   |   '---'   '---'        counts 1 1 2 2
//     groups      |   '-------'   '---'        begins 0 1 4, ends 1 4 6
#pragma once

#include <cstdint>
#include <vector>

namespace ceiba {

using std::int64_t;

// Row numbers grouped by query: query q has rows[offsets[q]] … rows[offsets[q + 1] - 1].
struct QueryRows {
    const int64_t* rows;
    const int64_t* offsets;
    int64_t n_queries;

    int64_t size(int64_t query) const { return offsets[query + 1] - offsets[query]; }
    const int64_t* of(int64_t query) const { return rows + offsets[query]; }
};

struct RankedDocument {
    double score;
    double relevance;
    int64_t row;
};

struct RankedEntry {
    double score;
    double relevance;
    double count;
    int64_t group;
    int64_t first; // its documents are first … first + count - 1
};

struct TieGroup {
    int64_t begin; // positions, from 0
    int64_t end;
    int64_t first_entry;
    int64_t last_entry; // past the end
};

class RankedQuery {
  public:
    // relevance(row) is the value of the document; larger is better.
    template <class Relevance>
    void rank(const double* scores, const int64_t* rows, int64_t n, Relevance&& relevance) {
        documents_.resize(static_cast<std::size_t>(n));
        for (int64_t i = 0; i < n; ++i)
            documents_[static_cast<std::size_t>(i)] = {scores[rows[i]] + 0.0, relevance(rows[i]),
                                                       rows[i]};
        sort_and_group();
    }

    const std::vector<RankedDocument>& documents() const { return documents_; }
    const std::vector<RankedEntry>& entries() const { return entries_; }
    const std::vector<TieGroup>& groups() const { return groups_; }

    // Relevances of all documents in descending order: the ideal ranking.
    const std::vector<double>& ideal() const { return ideal_; }

  private:
    void sort_and_group();

    std::vector<RankedDocument> documents_;
    std::vector<RankedEntry> entries_;
    std::vector<TieGroup> groups_;
    std::vector<double> ideal_;
};

// Gain of a relevance label: 2^label - 1, or the label itself.
double gain_of(double label, bool exponential);

// 1 / log2(position + 2) for positions 0 … n - 1.
std::vector<double> make_discounts(int64_t n);

int64_t largest_query(const QueryRows& queries);

} // namespace ceiba
