// The built-in losses: derivatives, losses and probabilities of rows.
//
// Scores of K outputs are [K, n]: the scores of one class are contiguous, as the grower reads them.
// Gradients are those of the unweighted loss; the grower applies the weights. Every function gives
// the same bits for any number of threads, with AVX2 and without.
#pragma once

#include <cstdint>

namespace ceiba {

using std::int64_t;

void squared_error_gradients(const double* scores, const double* target, double* gradients,
                             int64_t n_rows, int n_threads);

// target: 0 or 1 (or a probability).
void logistic_gradients(const double* scores, const double* target, double* gradients,
                        double* hessians, int64_t n_rows, int n_threads);

// These four clip scores to ±300, so that no derivative or its square overflows.

// target: 0 or 1. The score is half the log-odds.
void exponential_gradients(const double* scores, const double* target, double* gradients,
                           double* hessians, int64_t n_rows, int n_threads);

// The score is the log of the mean. The hessians are factor times the mean.
void poisson_gradients(const double* scores, const double* target, double factor, double* gradients,
                       double* hessians, int64_t n_rows, int n_threads);
void gamma_gradients(const double* scores, const double* target, double* gradients,
                     double* hessians, int64_t n_rows, int n_threads);
// power: the variance is proportional to mean^power, 1 < power < 2.
void tweedie_gradients(const double* scores, const double* target, double power, double* gradients,
                       double* hessians, int64_t n_rows, int n_threads);

// The hessians are second derivatives if `plain`, and otherwise slope / (score - target).
void pseudo_huber_gradients(const double* scores, const double* target, double delta, bool plain,
                            double* gradients, double* hessians, int64_t n_rows, int n_threads);

// The score is the prediction. Lower bounds: -1 + 1e-6 for scores, 1e-6 for hessians.
void squared_log_error_gradients(const double* scores, const double* target, double* gradients,
                                 double* hessians, int64_t n_rows, int n_threads);

// target: class indices. The hessians are factor p (1 - p).
void softmax_gradients(const double* scores, const double* target, double factor, double* gradients,
                       double* hessians, int64_t n_classes, int64_t n_rows, int n_threads);

// One value per row. softmax_loss throws InputError for a target that is no class index.
void logistic_loss(const double* target, const double* scores, double* out, int64_t n_rows,
                   int n_threads);
void softmax_loss(const double* target, const double* scores, double* out, int64_t n_classes,
                  int64_t n_rows, int n_threads);

// Element by element.
void exp_of(const double* x, double* out, int64_t n, int n_threads);
void log_of(const double* x, double* out, int64_t n, int n_threads);
void sigmoid(const double* x, double* out, int64_t n, int n_threads);

// Probabilities of rows from their scores, both [n, K].
void softmax(const double* raw, double* out, int64_t n_classes, int64_t n_rows, int n_threads);

} // namespace ceiba
