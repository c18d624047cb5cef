// Declarations of losses_kernels.inc, once per instruction set.
#pragma once

#include <cstdint>

namespace ceiba {

// Rows whose class scores are processed together.
constexpr std::int64_t softmax_block = 256;

// Limit of scores whose exp a loss takes directly.
constexpr double largest_exponent = 300.0;

// Limit of differences in the pseudo-Huber loss, in units of delta, such that the cube is finite.
constexpr double largest_ratio = 1e100;

// Lower bound of predictions of the squared log error, as in XGBoost.
constexpr double smallest_prediction = -1.0 + 1e-6;
constexpr double smallest_curvature = 1e-6;

#define CEIBA_LOSS_KERNELS(ARCH)                                                                   \
    namespace ARCH {                                                                               \
    using std::int64_t;                                                                            \
    void exp_of(const double* x, double* out, int64_t n);                                          \
    void log_of(const double* x, double* out, int64_t n);                                          \
    void sigmoid(const double* x, double* out, int64_t n);                                         \
    void squared_error_gradients(const double* scores, const double* target, double* gradients,    \
                                 int64_t n);                                                       \
    void logistic_gradients(const double* scores, const double* target, double* gradients,         \
                            double* hessians, int64_t n);                                          \
    void logistic_loss(const double* target, const double* scores, double* out, int64_t n);        \
    void exponential_gradients(const double* scores, const double* target, double* gradients,      \
                               double* hessians, int64_t n);                                       \
    void poisson_gradients(const double* scores, const double* target, double factor,              \
                           double* gradients, double* hessians, int64_t n);                        \
    void gamma_gradients(const double* scores, const double* target, double* gradients,            \
                         double* hessians, int64_t n);                                             \
    void tweedie_gradients(const double* scores, const double* target, double power,               \
                           double* gradients, double* hessians, int64_t n);                        \
    void pseudo_huber_gradients(const double* scores, const double* target, double delta,          \
                                bool plain, double* gradients, double* hessians, int64_t n);       \
    void squared_log_error_gradients(const double* scores, const double* target,                   \
                                     double* gradients, double* hessians, int64_t n);              \
    void softmax_gradients(const double* scores, const double* target, double factor,              \
                           double* gradients, double* hessians, int64_t stride, int64_t n_classes, \
                           int64_t n);                                                             \
    void softmax_loss(const double* target, const double* scores, double* out, int64_t stride,     \
                      int64_t n_classes, int64_t n);                                               \
    void softmax(const double* raw, double* out, int64_t n_classes, int64_t n);                    \
    }

CEIBA_LOSS_KERNELS(baseline)
CEIBA_LOSS_KERNELS(avx2)

#undef CEIBA_LOSS_KERNELS

} // namespace ceiba
