#include "ranking/ranking.hpp"

#include "base/cpu.hpp"
#include "base/math.hpp"
#include "parallel/pool.hpp"
#include "ranking/ranking_kernels.hpp"
#include "ranking/swap_weights.hpp"

#include <algorithm>
#include <limits>

namespace ceiba {

namespace {

constexpr int64_t kQueriesPerTask = 16;
constexpr int64_t kWorkPerRow = 64; // roughly the pairs of a document

// With normalize_scores, scores that differ by less than this count as close.
constexpr double kCloseScores = 0.01;

// Buffers of one task: a query, and its entries column by column.
struct Workspace {
    RankedQuery query;
    SwapWeights swaps;
    std::vector<double> score;
    std::vector<double> relevance;
    std::vector<double> count;
    std::vector<double> weight; // of one entry paired with each later one
    std::vector<double> gradient;
    std::vector<double> hessian;
    std::vector<double> up; // forces and curvatures of one entry paired with each later one
    std::vector<double> curvature;

    int64_t n_entries() const { return std::ssize(query.entries()); }

    // Call after ranking the query.
    void take_entries() {
        const auto n = query.entries().size();
        for (auto* column : {&score, &relevance, &count, &weight, &up, &curvature})
            column->resize(n);
        for (std::size_t e = 0; e < n; ++e) {
            score[e] = query.entries()[e].score;
            relevance[e] = query.entries()[e].relevance;
            count[e] = query.entries()[e].count;
        }
        gradient.assign(n, 0.0);
        hessian.assign(n, 0.0);
    }
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

// Number of pairs of documents that differ in relevance.
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

// The factor of all pairs of a query under the pairwise loss. It depends only on the labels, so the
// gradients remain those of a loss. Without it the weight of a query is its number of pairs, which
// grows with the square of its documents; with it the weight is its number of documents.
double pairwise_factor(const RankingPlan& plan, const RankedQuery& query) {
    if (!plan.normalize) return 1.0;
    const double n_pairs = count_pairs(query);
    return n_pairs > 0.0 ? static_cast<double>(query.ideal().size()) / n_pairs : 0.0;
}

void fill_weights(const RankingPlan& plan, Workspace& space, int64_t a, double of_pair) {
    const double own = space.relevance[static_cast<std::size_t>(a)];
    const bool pairwise = plan.measure == RankingMeasure::pairwise;
    if (!pairwise) space.swaps.fill(space.query, a, space.weight);
    for (auto b = static_cast<std::size_t>(a) + 1; b < space.weight.size(); ++b) {
        const double difference = math::absolute(own - space.relevance[b]);
        if (pairwise)
            space.weight[b] = difference > 0.0 ? of_pair : 0.0;
        else
            space.weight[b] *= difference;
    }
}

// Adds every pair of entries in score order. With normalize_scores, pairs of close scores count
// more. With normalize, the total force of a query grows only logarithmically, as in LightGBM and
// XGBoost: otherwise a few queries with many pairs, or with distant pairs, would dominate every
// tree.
void add_forces(const RankingPlan& plan, Workspace& space) {
    const bool pairwise = plan.measure == RankingMeasure::pairwise;
    const bool damped = !pairwise && plan.normalize_scores && space.query.groups().size() > 1;
    const PairDamping damping = damped ? PairDamping{kCloseScores, 1.0} : PairDamping{1.0, 0.0};
    const double of_pair = pairwise ? pairwise_factor(plan, space.query) : 0.0;
    const auto pair_forces = use_avx2() ? avx2::pair_forces : baseline::pair_forces;
    const int64_t n = space.n_entries();
    double total = 0.0;
    for (int64_t a = 0; a + 1 < n; ++a) {
        const auto at = static_cast<std::size_t>(a);
        if (!pairwise && space.swaps.beyond(space.query.entries()[at])) break;
        fill_weights(plan, space, a, of_pair);
        pair_forces(space.score.data(), space.relevance.data(), space.weight.data(), damping, a, n,
                    space.up.data(), space.curvature.data());
        const double count = space.count[at];
        double force = 0.0;
        for (std::size_t b = at + 1; b < static_cast<std::size_t>(n); ++b) {
            space.gradient[at] -= space.up[b] * space.count[b];
            space.hessian[at] += space.curvature[b] * space.count[b];
            space.gradient[b] += space.up[b] * count;
            space.hessian[b] += space.curvature[b] * count;
            force += math::absolute(space.up[b]) * space.count[b];
        }
        total += 2.0 * force * count;
    }
    if (pairwise || !plan.normalize || !(total > 0.0)) return;
    const double factor = math::log(1.0 + total) / (math::log(2.0) * total);
    for (std::size_t e = 0; e < static_cast<std::size_t>(n); ++e) {
        space.gradient[e] *= factor;
        space.hessian[e] *= factor;
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
        space.take_entries();
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
            gradients[space.query.documents()[i].row] = space.gradient[entry];
            hessians[space.query.documents()[i].row] = space.hessian[entry];
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
