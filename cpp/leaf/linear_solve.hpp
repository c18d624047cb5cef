// Weighted ridge regression on Newton statistics: the best linear function of some rows, from sums.
//
// For rows with gradients g and hessians h, and centered regressors z, the function b + s z reduces
// the objective most where
//
//   sum of  g (b + s z) + h (b + s z)^2 / 2  +  lambda b^2 / 2  +  linear_lambda (spread s)^2 / 2
//
// is smallest. The spread of a regressor is its standard deviation over the rows, so that
// linear_lambda penalizes slopes independently of the units of columns. Given the slopes, b is the
// constant leaf of the remaining gradients: -(G + c s) / (H + lambda), with c = sum of h z.
//
// Shrinkage by noise. k slopes without any effect reduce the objective by k sigma^2 on average,
// where sigma^2 is the residual variance. So all slopes are multiplied by 1 - K k sigma^2 / R,
// where R is their reduction of the objective, or dropped if that is negative: the positive-part
// estimator of James and Stein, with K > 1 because the columns of a leaf were selected from many.
// Large leaves and targets with little noise keep their slopes.
//   sigma^2 = (Q H / P - G^2 / (H + lambda) - R) / (H^2 / P - 1 - k)
//   Q = sum of g^2,  P = sum of h^2
// With equal hessians that is the residual variance with n - 1 - k degrees of freedom.
#pragma once

#include <span>
#include <vector>

namespace ceiba {

// Sums for k regressors: k numbers each, and a k x k matrix of which the upper half is read.
struct LinearSums {
    double gradient = 0, hessian = 0;
    std::span<const double> gz, hz, hzz;
    // Sums of squares, for the shrinkage by noise.
    double squared_gradients = 0, squared_hessians = 0;
};

// The slopes; empty if they are undetermined (collinear columns), not finite, or noise. shrink: by
// noise.
std::vector<double> solve_linear(const LinearSums& sums, double lambda, double linear_lambda,
                                 bool shrink);

} // namespace ceiba
