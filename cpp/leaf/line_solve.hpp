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
#pragma once

#include <span>
#include <vector>

namespace ceiba {

// Of k regressors: k numbers each, and k rows of k, of which the upper half is read.
struct LineSums {
    double gradient = 0, hessian = 0;
    std::span<const double> gz, hz, hzz;
};

// The slopes; none where they are not determined (columns that depend on each other) or not finite.
std::vector<double> solve_line(const LineSums& sums, double lambda, double linear_lambda);

} // namespace ceiba
