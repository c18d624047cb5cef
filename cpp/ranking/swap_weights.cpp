#include "ranking/swap_weights.hpp"

#include <algorithm>

namespace ceiba {

namespace {

double real(int64_t n) {
    return static_cast<double>(n);
}

// Number of pairs of positions in a group. All are equally likely for two given documents.
double pairs(int64_t n) {
    return 0.5 * real(n) * real(n - 1);
}

} // namespace

void SwapWeights::reset(const RankedQuery& query) {
    share_.assign(query.groups().size(), 0.0);
    inner_.assign(query.groups().size(), 0.0);
    upper_.assign(query.entries().size(), 0.0);
    lower_.assign(query.entries().size(), 0.0);
    scale_ = 0.0;
}

void SwapWeights::fill(const RankedQuery& query, int64_t a, std::vector<double>& out) const {
    const auto group = static_cast<std::size_t>(query.entries()[static_cast<std::size_t>(a)].group);
    const auto n = query.entries().size();
    const auto behind = static_cast<std::size_t>(query.groups()[group].last_entry);
    const double upper = upper_[static_cast<std::size_t>(a)];
    const double share = share_[group];
    out.resize(n);
    for (auto b = static_cast<std::size_t>(a) + 1; b < behind; ++b) out[b] = inner_[group] * scale_;
    for (std::size_t b = behind; b < n; ++b) {
        const double change = upper - share * lower_[b];
        out[b] = change > 0.0 ? change * scale_ : 0.0; // rounding may give a small negative value
    }
}

void SwapWeights::of_ndcg(const RankedQuery& query, const std::vector<double>& discounts,
                          int64_t truncation) {
    reset(query);
    if (query.ideal().empty() || query.ideal().front() == query.ideal().back()) return;
    double ideal = 0.0;
    for (std::size_t i = 0; i < query.ideal().size(); ++i) ideal += query.ideal()[i] * discounts[i];
    scale_ = 1.0 / ideal;

    for (std::size_t g = 0; g < query.groups().size(); ++g) {
        const TieGroup& group = query.groups()[g];
        const int64_t n = group.end - group.begin;
        double all = 0.0;    // sum of the discounts of the group
        double within = 0.0; // sum of the discounts within the truncation
        // sum of differences over pairs of positions, the first within the truncation
        double inner = 0.0;
        for (int64_t i = group.end - 1; i >= group.begin; --i) {
            const double discount = discounts[static_cast<std::size_t>(i)];
            if (i < truncation) {
                inner += real(group.end - 1 - i) * discount - all;
                within += discount;
            }
            all += discount;
        }
        const int64_t n_within = std::clamp<int64_t>(truncation - group.begin, 0, n);
        share_[g] = real(n_within) / real(n);
        inner_[g] = n > 1 ? std::max(inner, 0.0) / pairs(n) : 0.0;
        for (int64_t e = group.first_entry; e < group.last_entry; ++e) {
            upper_[static_cast<std::size_t>(e)] = within / real(n);
            lower_[static_cast<std::size_t>(e)] = all / real(n);
        }
    }
}

// Let a document at position a (from 1) and one at b > a swap, one of them relevant, and let N(p)
// be the number of relevant documents up to position p before the swap. If the relevant one was at
// a, average precision (times the number of relevant documents) loses
//     N(a) / a  -  N(b) / b  +  sum over relevant documents at a < p < b of 1 / p,
// and if it was at b it gains the same with N(a) + 1 for N(a). Averaged over the orders of a group,
// each of its other documents is relevant with the same probability f, so all terms are plain sums.
void SwapWeights::of_map(const RankedQuery& query, int64_t truncation) {
    reset(query);
    double all_relevant = 0.0;
    for (const double relevance : query.ideal()) all_relevant += relevance;
    if (all_relevant == 0.0 || all_relevant == real(std::ssize(query.ideal()))) return;
    scale_ = 1.0 / all_relevant;

    double before = 0.0; // relevant documents above the group
    double passed = 0.0; // the sum of 1 / p over them
    for (std::size_t g = 0; g < query.groups().size(); ++g) {
        const TieGroup& group = query.groups()[g];
        const int64_t n = group.end - group.begin;
        const int64_t n_within = std::clamp<int64_t>(truncation - group.begin, 0, n);
        share_[g] = real(n_within) / real(n);

        double relevant = 0.0;
        double inverse = 0.0; // sum of 1 / p over the positions of the group
        for (int64_t e = group.first_entry; e < group.last_entry; ++e) {
            const RankedEntry& entry = query.entries()[static_cast<std::size_t>(e)];
            relevant += entry.count * entry.relevance;
        }
        for (int64_t p = group.begin + 1; p <= group.end; ++p) inverse += 1.0 / real(p);
        const double passed_after = passed + relevant / real(n) * inverse;

        for (int64_t e = group.first_entry; e < group.last_entry; ++e) {
            const double own = query.entries()[static_cast<std::size_t>(e)].relevance;
            const double f = n > 1 ? (relevant - own) / real(n - 1) : 0.0;
            double upper = 0.0;
            double lower = 0.0;
            double above = 0.0; // sum of 1 / p over earlier positions of the group
            for (int64_t p = group.begin + 1; p <= group.end; ++p) {
                const double step = 1.0 / real(p);
                const double others = before + real(p - group.begin - 1) * f;
                const double below = inverse - above - step;
                if (p <= truncation) upper += (others + 1.0) * step + f * below;
                lower += (others + own) * step - f * above;
                above += step;
            }
            upper_[static_cast<std::size_t>(e)] = upper / real(n) - share_[g] * passed_after;
            lower_[static_cast<std::size_t>(e)] = lower / real(n) - passed;
        }
        if (n > 1) {
            const double f = n > 2 ? (relevant - 1.0) / real(n - 2) : 0.0;
            double inner = 0.0;
            double ends = 0.0;    // N(b) / b over later positions b
            double between = 0.0; // f / p for each p and each later b
            for (int64_t p = group.end; p > group.begin; --p) {
                const double step = 1.0 / real(p);
                const double later = real(group.end - p);
                const double place = real(p - group.begin - 1);
                if (p <= truncation)
                    inner += later * (before + 1.0 + place * f) * step - ends + between;
                ends += (before + 1.0 + (place - 1.0) * f) * step;
                between += f * later * step;
            }
            inner_[g] = std::max(inner, 0.0) / pairs(n);
        }
        before += relevant;
        passed = passed_after;
    }
}

} // namespace ceiba
