// Limits leaf values of classification losses (logistic, softmax, exponential), so that they do not
// overshoot the minimum.
//
// The curvature of these losses changes by at most a factor of exp(|v|) over a step v of a score. A
// leaf with gradient G and hessian H at 0 therefore has a slope of at most G + H (exp(v) - 1) at v
// > 0, and its minimum is at least at a distance of
//
//     log(1 + |r|),   r = -G / H the Newton step; penalties keep the bound.
//
// The Newton step can be far beyond: for 20 rows, one of them of a class with predicted probability
// 1e-4, r = 499 and the minimum is at 6.3. The K scores of softmax also move together, so at a
// learning rate near 1 the loss rises from round to round. So a leaf value that exceeds log(1 +
// |r|) after multiplication by the tree weight is reduced to it. At a learning rate of 0.1 that
// happens for r > 36, at 0.3 for r > 6. The order of the leaves is preserved.
#pragma once

#include <span>

namespace ceiba {

// values: Newton steps times tree_weight, modified in place.
void shorten_class_leaves(std::span<double> values, double tree_weight);

} // namespace ceiba
