// Leaves of losses with a log link (poisson, gamma, tweedie) that do not go past their minimum.
//
// With a variance proportional to mean^p the loss of a leaf's rows at a step v is, but for
// constants, A exp((1-p) v) / (p-1) + B exp((2-p) v) / (2-p), smallest at v = log(A / B). Its
// gradient and hessian at 0 are B - A and (p-1) A + (2-p) B, so the Newton step r alone says where
// that is:
//
//     A / B = (1 + (2-p) r) / (1 - (p-1) r)
//
// The quadratic that Newton's step trusts is far from an exponential: a leaf with a thousand times
// the events that were predicted asks for r = 999 where its minimum is at 6.9, and even a tenth of
// that step makes things much worse. So a leaf whose step, with the weight of the tree, would go
// past the minimum stops there. Steps the other way fall short of the minimum by themselves (a leaf
// without events: r = -1, the minimum is at minus infinity). Leaves keep their order.
#pragma once

#include <span>

namespace ceiba {

// How far the minimum is for the Newton step r; r itself where penalties and rounding leave no
// minimum.
double log_link_minimum(double step, double power);

// values: Newton steps times tree_weight, changed in place. power: p, 1 (poisson) to 2 (gamma).
void shorten_log_link_leaves(std::span<double> values, double power, double tree_weight);

} // namespace ceiba
