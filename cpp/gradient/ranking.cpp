#include "gradient/ranking.hpp"

#include "base/math.hpp"
#include "gradient/swap_weights.hpp"
#include "parallel/pool.hpp"

#include <algorithm>
#include <limits>

namespace ceiba {

namespace {

constexpr int64_t kQueriesPerTask = 16;
constexpr int64_t kWorkPerRow = 64; // pairs of a document, roughly

// A curvature of exactly 0 beside a real force would ask for an endless step.
constexpr double kSmallestCurvature = 1e-16;

// Scores that differ by less than this count as close when pairs are normalized.
constexpr double kCloseScores = 0.01;

// One task's buffers.
struct Workspace {
    RankedQuery query;
    SwapWeights swaps;
    std::vector<double> exponentials; // of one entry with each later one
    std::vector<double> gradients;    // of each entry
    std::vector<double> hessians;
};

double relevance_of(const RankingPlan& plan, double label) {
    switch (plan.measure) {
    case RankingMeasure::ndcg:
        return gain_of(label, plan.exponential_gains);
    case RankingMeasure::map:
        return label > 0.0 ? 1.0 : 0.0;
    case RankingMeasure::pairwise:
        break;
    }
    return label;
}

template <class F>
void for_queries(const QueryRows& queries, int n_threads, F&& run) {
    const int64_t n_tasks = (queries.n_queries + kQueriesPerTask - 1) / kQueriesPerTask;
    const int64_t work = queries.offsets[queries.n_queries] * kWorkPerRow;
    parallel_for(useful_threads(n_threads, work), n_tasks, [&](int64_t task) {
        Workspace space;
        const int64_t end = std::min((task + 1) * kQueriesPerTask, queries.n_queries);
        for (int64_t q = task * kQueriesPerTask; q < end; ++q) run(q, space);
    });
}

void fill_exponentials(const std::vector<RankedEntry>& entries, std::size_t a,
                       std::vector<double>& out) {
    out.resize(entries.size());
    for (std::size_t b = a + 1; b < entries.size(); ++b)
        out[b] = math::exp(entries[b].score - entries[a].score);
}

// Pairs of documents that differ in relevance.
double count_pairs(const RankedQuery& query) {
    double same = 0.0;
    double n = 0.0;
    double run = 0.0;
    for (std::size_t i = 0; i < query.ideal().size(); ++i) {
        run = i > 0 && query.ideal()[i] == query.ideal()[i - 1] ? run + 1.0 : 0.0;
        same += run;
        n += 1.0;
    }
    return 0.5 * n * (n - 1.0) - same;
}

// The factor of all pairs of a query under the pairwise loss. It depends on the labels alone, so
// what is made small remains a loss. Without it a query counts as its number of pairs, which grows
// with the square of its documents; with it a query counts as its number of documents.
double pairwise_factor(const RankingPlan& plan, const RankedQuery& query) {
    if (!plan.normalize) return 1.0;
    const double n_pairs = count_pairs(query);
    return n_pairs > 0.0 ? static_cast<double>(query.ideal().size()) / n_pairs : 0.0;
}

void add_forces(const RankingPlan& plan, Workspace& space) {
    const auto& entries = space.query.entries();
    const bool pairwise = plan.measure == RankingMeasure::pairwise;
    const bool all_tied = space.query.groups().size() == 1;
    const double pairwise_weight = pairwise ? pairwise_factor(plan, space.query) : 0.0;
    double total = 0.0;
    for (std::size_t a = 0; a < entries.size(); ++a) {
        if (!pairwise && space.swaps.beyond(entries[a])) break;
        fill_exponentials(entries, a, space.exponentials);
        for (std::size_t b = a + 1; b < entries.size(); ++b) {
            const double difference = entries[a].relevance - entries[b].relevance;
            if (difference == 0.0) continue;
            const double e = space.exponentials[b];
            const double right = 1.0 / (1.0 + e); // P(a before b); neither is one less the other
            const double wrong = e * right;
            double weight = pairwise_weight;
            if (!pairwise) {
                weight = space.swaps.weight(space.query, a, b) * math::absolute(difference);
                if (plan.normalize && !all_tied)
                    weight /= kCloseScores + (entries[a].score - entries[b].score);
            }
            const double force = weight * (difference > 0.0 ? wrong : right);
            const double curvature = weight * std::max(right * wrong, kSmallestCurvature);
            const double up = difference > 0.0 ? force : -force;
            space.gradients[a] -= up * entries[b].count;
            space.gradients[b] += up * entries[a].count;
            space.hessians[a] += curvature * entries[b].count;
            space.hessians[b] += curvature * entries[a].count;
            total += 2.0 * force * entries[a].count * entries[b].count;
        }
    }
    if (pairwise || !plan.normalize || !(total > 0.0)) return;
    const double factor = math::log(1.0 + total) / (math::log(2.0) * total);
    for (std::size_t e = 0; e < entries.size(); ++e) {
        space.gradients[e] *= factor;
        space.hessians[e] *= factor;
    }
}

} // namespace

void ranking_gradients(const RankingPlan& plan, const QueryRows& queries, const double* scores,
                       const double* target, double* gradients, double* hessians, int n_threads) {
    const std::vector<double> discounts = make_discounts(largest_query(queries));
    const int64_t truncation =
        plan.truncation > 0 ? plan.truncation : std::numeric_limits<int64_t>::max();
    for_queries(queries, n_threads, [&](int64_t q, Workspace& space) {
        space.query.rank(scores, queries.of(q), queries.size(q),
                         [&](int64_t row) { return relevance_of(plan, target[row]); });
        space.gradients.assign(space.query.entries().size(), 0.0);
        space.hessians.assign(space.query.entries().size(), 0.0);
        if (plan.measure == RankingMeasure::ndcg)
            space.swaps.of_ndcg(space.query, discounts, truncation);
        else if (plan.measure == RankingMeasure::map)
            space.swaps.of_map(space.query, truncation);
        if (plan.measure == RankingMeasure::pairwise || space.swaps.any()) add_forces(plan, space);
        std::size_t entry = 0;
        for (std::size_t i = 0; i < space.query.documents().size(); ++i) {
            const auto& entries = space.query.entries();
            while (entry + 1 < entries.size() &&
                   static_cast<int64_t>(i) >= entries[entry + 1].first)
                ++entry;
            gradients[space.query.documents()[i].row] = space.gradients[entry];
            hessians[space.query.documents()[i].row] = space.hessians[entry];
        }
    });
}

void pairwise_losses(const RankingPlan& plan, const QueryRows& queries, const double* scores,
                     const double* target, double* losses, int n_threads) {
    for_queries(queries, n_threads, [&](int64_t q, Workspace& space) {
        space.query.rank(scores, queries.of(q), queries.size(q),
                         [&](int64_t row) { return target[row]; });
        const auto& documents = space.query.documents();
        const double factor = pairwise_factor(plan, space.query);
        for (const RankedDocument& one : documents) {
            double loss = 0.0;
            for (const RankedDocument& other : documents) {
                if (one.relevance == other.relevance) continue;
                const double ahead = one.relevance > other.relevance ? one.score - other.score
                                                                     : other.score - one.score;
                const double behind = ahead < 0.0 ? -ahead : 0.0;
                loss += behind + math::log1p(math::exp(-math::absolute(ahead)));
            }
            losses[one.row] = 0.5 * factor * loss;
        }
    });
}

} // namespace ceiba
