// Limits leaf values of losses with a log link (poisson, gamma, tweedie), so that they do not
// overshoot the minimum.
//
// With a variance proportional to mean^p the loss of a leaf's rows at a step v is, up to constants,
// A exp((1-p) v) / (p-1) + B exp((2-p) v) / (2-p), with its minimum at v = log(A / B). Its gradient
// and hessian at 0 are B - A and (p-1) A + (2-p) B, so the Newton step r alone determines the
// minimum:
//
//     A / B = (1 + (2-p) r) / (1 - (p-1) r)
//
// The quadratic approximation of a Newton step is far from an exponential: for a leaf with 1000
// times the predicted events r = 999 and the minimum is at 6.9; even a tenth of that step increases
// the loss a lot. So a leaf whose step, times the tree weight, would overshoot the minimum stops
// there. Steps in the other direction do not reach the minimum anyway (a leaf without events: r =
// -1, the minimum is at minus infinity). The order of the leaves is preserved.
#pragma once

#include <span>

namespace ceiba {

// Distance of the minimum for the Newton step r; r itself if penalties or rounding leave no
// minimum.
double log_link_minimum(double step, double power);

// values: Newton steps times tree_weight, modified in place. power: p, 1 (poisson) to 2 (gamma).
void shorten_log_link_leaves(std::span<double> values, double power, double tree_weight);

} // namespace ceiba
