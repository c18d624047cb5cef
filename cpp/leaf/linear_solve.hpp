// The best line of some rows, from sums: weighted ridge on Newton statistics.
//
// Of rows with gradients g and hessians h, and regressors z that are near 0 in the middle, the line
// b + s z falls the objective most where
//
//   sum of  g (b + s z) + h (b + s z)^2 / 2  +  lambda b^2 / 2  +  linear_lambda (spread s)^2 / 2
//
// is smallest. The spread of a regressor is its deviation over the rows, so that linear_lambda holds
// slopes back alike whatever the units of columns are. Given the slopes, b is the constant leaf of
// the gradients that they leave: -(G + c s) / (H + lambda), with c = sum of h z.
//
// Shrinkage by noise. k slopes that explain nothing let the objective fall by k sigma^2 on average,
// sigma^2 being the variance of what the line leaves. So all slopes are multiplied by
// 1 - K k sigma^2 / R, where R is what they let it fall by, or dropped where that is negative: the
// positive-part estimator of James and Stein, with K > 1 because the columns of a leaf were chosen
// among many. Large leaves and targets with little noise keep their slopes.
//   sigma^2 = (Q H / P - G^2 / (H + lambda) - R) / (H^2 / P - 1 - k),  Q = sum of g^2,  P = sum of h^2
// With equal hessians that is the residual variance of n - 1 - k degrees of freedom.
#pragma once

#include <span>
#include <vector>

namespace ceiba {

// Of k regressors: k numbers each, and k rows of k, of which the upper half is read.
struct LinearSums {
    double gradient = 0, hessian = 0;
    std::span<const double> gz, hz, hzz;
    // Sums of squares, which shrinkage by noise needs.
    double squared_gradients = 0, squared_hessians = 0;
};

// The slopes; none where they are not determined (columns that depend on each other), not finite, or
// noise. shrink: by noise.
std::vector<double> solve_linear(const LinearSums& sums, double lambda, double linear_lambda,
                                 bool shrink);

} // namespace ceiba
