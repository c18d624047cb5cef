// Leaves of losses of classes (logistic, softmax, exponential) that do not go past their minimum.
//
// The curvature of these losses changes by at most a factor of exp(|v|) over a step v of a score. A
// leaf with gradient G and hessian H at 0 therefore has a slope of at most G + H (exp(v) - 1) at
// v > 0, and its minimum is no nearer than
//
//     log(1 + |r|),   r = -G / H the Newton step; penalties keep the bound.
//
// Newton's step itself may be far beyond: 20 rows of which one has a class with predicted
// probability 1e-4 ask for r = 499, and their minimum is at 6.3. The K scores of softmax move
// together on top of that, and at a learning rate near 1 the loss rises from round to round. So a
// leaf whose step, with the weight of the tree, exceeds log(1 + |r|) is cut to it. At a learning rate
// of 0.1 that takes r > 36, at 0.3 r > 6. Leaves keep their order.
#pragma once

#include <span>

namespace ceiba {

// values: Newton steps times tree_weight, changed in place.
void shorten_class_leaves(std::span<double> values, double tree_weight);

} // namespace ceiba
