// The gain of a split: a double-precision function of sums.
//
// The best constant for rows with gradient sum G and hessian sum H is w = -soft(G) / (H + lambda),
// limited to max_delta_step; soft moves G by alpha towards zero. The score of the rows is twice the
// decrease of the objective: -(2 G w + (H + lambda) w^2 + 2 alpha |w|), without a limit
// soft(G)^2 / (H + lambda). A split gains score(left) + score(right) - score(parent). Monotone
// constraints bound the constant of a node (split/bounds.hpp), and its score is that of the bounded
// constant. Ties between equal gains: split/scan.hpp.
//
// Entropy is another score, for gradients that are minus the indicators of classes (objective gini):
// with n rows, of which n_k = -G_k have class k, it is the log likelihood sum(n_k ln(n_k / n)). Two
// classes are one output; with more classes each output adds its own term.
#pragma once

#include "base/math.hpp"
#include "split/bounds.hpp"

#include <cmath>

namespace ceiba {

// Whether scores are entropies, and whether an output counts one class or two.
enum class Entropy { none, two_classes, one_class };

struct GainRule {
    double lambda = 0, alpha = 0, limit = 0;
    double bounded_alpha = 0; // alpha, or 0 if scores within bounds leave out the L1 penalty
    double min_child_weight = 0, min_count = 1;
    bool bounded = false;       // there is a max_delta_step, or a monotone column
    bool cosine = false;        // candidates are ranked by the cosine (split/ranking.hpp)
    bool estimate_rows = false; // min_count applies to estimated row counts (split/row_counts.hpp)
    Entropy entropy = Entropy::none;

    // The bounds of the root: plus and minus max_delta_step.
    Bounds first_bounds() const { return {-limit, limit}; }
};

static inline double soft(double gradient, double alpha) {
    const double rest = std::fabs(gradient) - alpha;
    return std::copysign(rest > 0 ? rest : 0.0, gradient);
}

static inline double best_constant(double gradient, double hessian, double lambda, double alpha,
                                   double limit) {
    const double below = hessian + lambda;
    if (!(below > 0)) return 0;
    const double step = -soft(gradient, alpha) / below;
    return step > limit ? limit : step < -limit ? -limit : step;
}

// The best constant within bounds.
static inline double bounded_step(double gradient, double hessian, const GainRule& rule,
                                  const Bounds& bounds) {
    const double below = hessian + rule.lambda, free = -soft(gradient, rule.alpha) / below;
    return clip(below > 0 ? free : 0.0, bounds);
}

// Twice the decrease of the objective with the constant `step`.
static inline double fall(double gradient, double hessian, double step, const GainRule& rule) {
    const double below = hessian + rule.lambda;
    const double found =
        -(2 * gradient * step + below * step * step + 2 * rule.bounded_alpha * std::fabs(step));
    return below > 0 ? found : 0.0;
}

// The score without bounds. kShrunk: alpha is not 0.
template <bool kShrunk>
static inline double free_score(double gradient, double hessian, const GainRule& rule) {
    const double below = hessian + rule.lambda,
                 top = kShrunk ? soft(gradient, rule.alpha) : gradient;
    const double ratio = top * top / below;
    return below > 0 ? ratio : 0.0;
}

// n ln(n / whole), and 0 for nothing.
CEIBA_MATH_INLINE double likelihood(double n, double whole) {
    const double value = n * math::log(n / whole);
    return n > 0 ? value : 0.0;
}

template <bool kTwo>
CEIBA_MATH_INLINE double entropy_score(double gradient, double hessian) {
    const double own = likelihood(-gradient, hessian);
    return kTwo ? own + likelihood(hessian + gradient, hessian) : own;
}

// The score without bounds, entropy or not.
static inline double unbounded_score(double gradient, double hessian, const GainRule& rule) {
    if (rule.entropy == Entropy::none) return free_score<true>(gradient, hessian, rule);
    return rule.entropy == Entropy::two_classes ? entropy_score<true>(gradient, hessian)
                                                : entropy_score<false>(gradient, hessian);
}

static inline double score(double gradient, double hessian, const GainRule& rule,
                           const Bounds& bounds) {
    if (!rule.bounded) return unbounded_score(gradient, hessian, rule);
    return fall(gradient, hessian, bounded_step(gradient, hessian, rule, bounds), rule);
}

// Whether a gain exceeds min_split_gain and the rounding error of the subtracted scores. (Within
// bounds a score may be negative.)
constexpr double kRoundingError = 0x1p-42;

static inline bool is_gain(double gain, double parent_score, double min_split_gain) {
    return gain >= min_split_gain && gain > kRoundingError * (gain + std::fabs(parent_score)) &&
           gain > 0;
}

// The largest gain that is below min_split_gain by more than rounding errors.
static inline double hopeless_gain(double parent_score, double min_split_gain) {
    return min_split_gain - kRoundingError * (std::fabs(min_split_gain) + std::fabs(parent_score));
}

} // namespace ceiba
