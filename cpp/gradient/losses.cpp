#include "gradient/losses.hpp"

#include "base/cpu.hpp"
#include "base/errors.hpp"
#include "base/settings.hpp"
#include "gradient/losses_kernels.hpp"
#include "parallel/pool.hpp"
#include "parallel/rows.hpp"

#include <algorithm>
#include <string>

namespace ceiba {

namespace {

// Process blocks of softmax rows, many per chunk; run(begin, n) gets one block.
template <class F>
void for_blocks(int64_t n_rows, int64_t n_classes, int n_threads, F&& run) {
    const int64_t blocks = std::max<int64_t>(1, settings().chunk_rows / softmax_block),
                  chunk = blocks * softmax_block;
    parallel_for(useful_threads(n_threads, n_rows * n_classes), (n_rows + chunk - 1) / chunk,
                 [&](int64_t c) {
                     const int64_t end = std::min(n_rows, (c + 1) * chunk);
                     for (int64_t begin = c * chunk; begin < end; begin += softmax_block)
                         run(begin, std::min(softmax_block, end - begin));
                 });
}

} // namespace

void squared_error_gradients(const double* scores, const double* target, double* gradients,
                             int64_t n_rows, int n_threads) {
    const auto kernel =
        use_avx2() ? avx2::squared_error_gradients : baseline::squared_error_gradients;
    over_rows(n_rows, n_threads, [&](int64_t begin, int64_t end) {
        kernel(scores + begin, target + begin, gradients + begin, end - begin);
    });
}

void logistic_gradients(const double* scores, const double* target, double* gradients,
                        double* hessians, int64_t n_rows, int n_threads) {
    const auto kernel = use_avx2() ? avx2::logistic_gradients : baseline::logistic_gradients;
    over_rows(n_rows, n_threads, [&](int64_t begin, int64_t end) {
        kernel(scores + begin, target + begin, gradients + begin, hessians + begin, end - begin);
    });
}

void exponential_gradients(const double* scores, const double* target, double* gradients,
                           double* hessians, int64_t n_rows, int n_threads) {
    const auto kernel = use_avx2() ? avx2::exponential_gradients : baseline::exponential_gradients;
    over_rows(n_rows, n_threads, [&](int64_t begin, int64_t end) {
        kernel(scores + begin, target + begin, gradients + begin, hessians + begin, end - begin);
    });
}

void poisson_gradients(const double* scores, const double* target, double factor, double* gradients,
                       double* hessians, int64_t n_rows, int n_threads) {
    const auto kernel = use_avx2() ? avx2::poisson_gradients : baseline::poisson_gradients;
    over_rows(n_rows, n_threads, [&](int64_t begin, int64_t end) {
        kernel(scores + begin, target + begin, factor, gradients + begin, hessians + begin,
               end - begin);
    });
}

void gamma_gradients(const double* scores, const double* target, double* gradients,
                     double* hessians, int64_t n_rows, int n_threads) {
    const auto kernel = use_avx2() ? avx2::gamma_gradients : baseline::gamma_gradients;
    over_rows(n_rows, n_threads, [&](int64_t begin, int64_t end) {
        kernel(scores + begin, target + begin, gradients + begin, hessians + begin, end - begin);
    });
}

void tweedie_gradients(const double* scores, const double* target, double power, double* gradients,
                       double* hessians, int64_t n_rows, int n_threads) {
    const auto kernel = use_avx2() ? avx2::tweedie_gradients : baseline::tweedie_gradients;
    over_rows(n_rows, n_threads, [&](int64_t begin, int64_t end) {
        kernel(scores + begin, target + begin, power, gradients + begin, hessians + begin,
               end - begin);
    });
}

void pseudo_huber_gradients(const double* scores, const double* target, double delta, bool plain,
                            double* gradients, double* hessians, int64_t n_rows, int n_threads) {
    const auto kernel =
        use_avx2() ? avx2::pseudo_huber_gradients : baseline::pseudo_huber_gradients;
    over_rows(n_rows, n_threads, [&](int64_t begin, int64_t end) {
        kernel(scores + begin, target + begin, delta, plain, gradients + begin, hessians + begin,
               end - begin);
    });
}

void squared_log_error_gradients(const double* scores, const double* target, double* gradients,
                                 double* hessians, int64_t n_rows, int n_threads) {
    const auto kernel =
        use_avx2() ? avx2::squared_log_error_gradients : baseline::squared_log_error_gradients;
    over_rows(n_rows, n_threads, [&](int64_t begin, int64_t end) {
        kernel(scores + begin, target + begin, gradients + begin, hessians + begin, end - begin);
    });
}

void softmax_gradients(const double* scores, const double* target, double factor, double* gradients,
                       double* hessians, int64_t n_classes, int64_t n_rows, int n_threads) {
    const auto kernel = use_avx2() ? avx2::softmax_gradients : baseline::softmax_gradients;
    for_blocks(n_rows, n_classes, n_threads, [&](int64_t begin, int64_t n) {
        kernel(scores + begin, target + begin, factor, gradients + begin, hessians + begin, n_rows,
               n_classes, n);
    });
}

void logistic_loss(const double* target, const double* scores, double* out, int64_t n_rows,
                   int n_threads) {
    const auto kernel = use_avx2() ? avx2::logistic_loss : baseline::logistic_loss;
    over_rows(n_rows, n_threads, [&](int64_t begin, int64_t end) {
        kernel(target + begin, scores + begin, out + begin, end - begin);
    });
}

void softmax_loss(const double* target, const double* scores, double* out, int64_t n_classes,
                  int64_t n_rows, int n_threads) {
    for (int64_t i = 0; i < n_rows; ++i) {
        const double index = target[i];
        if (!(index >= 0.0 && index < static_cast<double>(n_classes)) ||
            index != static_cast<double>(static_cast<int64_t>(index)))
            throw InputError("The target must contain class indices from 0 to " +
                             std::to_string(n_classes - 1) + ". Got " + std::to_string(index) +
                             " in row " + std::to_string(i) + ".");
    }
    const auto kernel = use_avx2() ? avx2::softmax_loss : baseline::softmax_loss;
    for_blocks(n_rows, n_classes, n_threads, [&](int64_t begin, int64_t n) {
        kernel(target + begin, scores + begin, out + begin, n_rows, n_classes, n);
    });
}

void exp_of(const double* x, double* out, int64_t n, int n_threads) {
    const auto kernel = use_avx2() ? avx2::exp_of : baseline::exp_of;
    over_rows(n, n_threads,
              [&](int64_t begin, int64_t end) { kernel(x + begin, out + begin, end - begin); });
}

void log_of(const double* x, double* out, int64_t n, int n_threads) {
    const auto kernel = use_avx2() ? avx2::log_of : baseline::log_of;
    over_rows(n, n_threads,
              [&](int64_t begin, int64_t end) { kernel(x + begin, out + begin, end - begin); });
}

void sigmoid(const double* x, double* out, int64_t n, int n_threads) {
    const auto kernel = use_avx2() ? avx2::sigmoid : baseline::sigmoid;
    over_rows(n, n_threads,
              [&](int64_t begin, int64_t end) { kernel(x + begin, out + begin, end - begin); });
}

void softmax(const double* raw, double* out, int64_t n_classes, int64_t n_rows, int n_threads) {
    const auto kernel = use_avx2() ? avx2::softmax : baseline::softmax;
    for_blocks(n_rows, n_classes, n_threads, [&](int64_t begin, int64_t n) {
        kernel(raw + begin * n_classes, out + begin * n_classes, n_classes, n);
    });
}

} // namespace ceiba
