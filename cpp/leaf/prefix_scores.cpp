#include "leaf/prefix_scores.hpp"

#include "base/errors.hpp"
#include "base/hash.hpp"
#include "leaf/further_steps.hpp"
#include "parallel/pool.hpp"
#include "split/gain.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace ceiba {

namespace {

// Rows that a thread takes at a time.
constexpr std::int64_t kPartRows = 8192;

} // namespace

std::vector<std::int32_t> ordered_rows(std::uint64_t seed, std::uint64_t permutation,
                                       std::int64_t n_rows) {
    const std::uint64_t key = hash64(seed, 0x02DE2ED, permutation);
    std::vector<std::uint64_t> lots(static_cast<std::size_t>(n_rows));
    for (std::size_t i = 0; i < lots.size(); ++i) lots[i] = hash64(key, i);
    std::vector<std::int32_t> rows(lots.size());
    std::iota(rows.begin(), rows.end(), 0);
    std::sort(rows.begin(), rows.end(), [&](std::int32_t a, std::int32_t b) {
        const std::uint64_t one = lots[static_cast<std::size_t>(a)],
                            other = lots[static_cast<std::size_t>(b)];
        return one != other ? one < other : a < b;
    });
    return rows;
}

PrefixScores::PrefixScores(const Shape& shape, std::uint64_t seed, const GrowPlan& plan,
                           std::span<const double> start, std::span<const double> weights,
                           int n_threads)
    : shape_(shape), plan_(plan), n_threads_(std::max(1, n_threads)) {
    const std::int64_t n = shape.n_rows;
    if (n < 1 || shape.n_outputs < 1 || shape.n_permutations < 1 || shape.first_rows < 0)
        throw InputError("Ordered scores need at least one row, output and permutation.");
    if (static_cast<std::int64_t>(start.size()) != n * shape.n_outputs)
        throw InputError("There must be a score for each row and output.");
    if (!weights.empty() && static_cast<std::int64_t>(weights.size()) != n)
        throw InputError("There must be a weight for each row.");
    for (std::int64_t p = 0; p < shape.n_permutations; ++p) {
        tails_.emplace_back(start.begin(), start.end());
        if (shape.first_rows == 0) {
            std::vector<std::int32_t>& all = orders_.emplace_back(static_cast<std::size_t>(n));
            std::iota(all.begin(), all.end(), 0);
            add_model(p, 0, n, 0, n);
            continue;
        }
        orders_.push_back(ordered_rows(seed, static_cast<std::uint64_t>(p), n));
        const std::int64_t first = std::min(shape.first_rows, n / 2);
        if (first == 0) continue; // a single row: no other row could predict it
        add_model(p, first, std::min(2 * first, n), 0, first);
        for (std::int64_t seen = first; seen < n; seen *= 2)
            add_model(p, 0, seen, seen, std::min(2 * seen, n));
    }
    const auto n_body = body_rows_.size();
    body_scores_.resize(n_body * static_cast<std::size_t>(shape.n_outputs));
    for (std::int64_t k = 0; k < shape.n_outputs; ++k)
        for (std::size_t i = 0; i < n_body; ++i)
            body_scores_[static_cast<std::size_t>(k) * n_body + i] =
                start[static_cast<std::size_t>(k * n + body_rows_[i])];
    moved_ = body_scores_;
    for (std::size_t i = 0; i < n_body && !weights.empty(); ++i)
        body_weights_.push_back(weights[static_cast<std::size_t>(body_rows_[i])]);
}

void PrefixScores::add_model(std::int64_t permutation, std::int64_t begin, std::int64_t end,
                             std::int64_t tail_begin, std::int64_t tail_end) {
    const std::vector<std::int32_t>& order = orders_[static_cast<std::size_t>(permutation)];
    const std::int64_t place = n_body();
    body_rows_.insert(body_rows_.end(), order.begin() + begin, order.begin() + end);
    for (std::int64_t part = place; part < n_body(); part += kPartRows)
        parts_.push_back({std::ssize(models_), part, std::min(part + kPartRows, n_body())});
    models_.push_back({permutation, place, n_body(), tail_begin, tail_end});
}

std::span<const double> PrefixScores::tails(std::int64_t permutation) const {
    if (permutation < 0 || permutation >= shape_.n_permutations)
        throw InputError("There is no such permutation.");
    return tails_[static_cast<std::size_t>(permutation)];
}

template <class Work>
void PrefixScores::for_each(Work work) {
    const std::int64_t n_tasks = std::ssize(models_) * shape_.n_outputs;
    const int threads = useful_threads(n_threads_, n_tasks * n_nodes_);
    parallel_for(threads, n_tasks,
                 [&](std::int64_t t) { work(t / shape_.n_outputs, t % shape_.n_outputs); });
}

template <class Work>
void PrefixScores::for_each_part(Work work) {
    const int threads = useful_threads(n_threads_, 4 * n_body() * shape_.n_outputs);
    parallel_for(threads, std::ssize(parts_) * shape_.n_outputs,
                 [&](std::int64_t t) { work(t / shape_.n_outputs, t % shape_.n_outputs); });
}

void PrefixScores::begin(std::span<const std::int32_t> leaves) {
    if (static_cast<std::int64_t>(leaves.size()) != shape_.n_outputs * shape_.n_rows)
        throw InputError("There must be a leaf for each row and output.");
    leaves_.assign(leaves.begin(), leaves.end());
    const auto [least, most] = std::minmax_element(leaves_.begin(), leaves_.end());
    if (*least < 0) throw InputError("Leaves must be node numbers, from 0.");
    n_nodes_ = *most + 1;
    const auto n_body = body_rows_.size();
    body_leaves_.resize(n_body * static_cast<std::size_t>(shape_.n_outputs));
    for (std::int64_t k = 0; k < shape_.n_outputs; ++k) {
        const std::int32_t* own = leaves_.data() + k * shape_.n_rows;
        std::int32_t* out = body_leaves_.data() + static_cast<std::size_t>(k) * n_body;
        for (std::size_t i = 0; i < n_body; ++i) out[i] = own[body_rows_[i]];
    }
    const auto n_values = models_.size() * static_cast<std::size_t>(shape_.n_outputs * n_nodes_);
    values_.assign(n_values, 0.0);
    known_.assign(n_values, Bounds{});
    sums_.resize(parts_.size() * static_cast<std::size_t>(shape_.n_outputs * n_nodes_));
    is_first_ = true;
}

void PrefixScores::step(std::span<const GradientView> views, std::optional<double> log_link_power) {
    if (static_cast<std::int64_t>(views.size()) != shape_.n_outputs)
        throw InputError("There must be gradients for each output.");
    std::vector<Scales> scales;
    RowSelection all;
    if (!body_weights_.empty()) {
        all.weights = WeightFacts::of(body_weights_.data(), n_body(), false, n_threads_);
        all.weights.whole = false; // a weight multiplies a gradient before it is rounded
    }
    for (const GradientView& view : views) {
        if (view.n_rows != n_body())
            throw InputError("There must be a gradient for each row that the models use.");
        if (n_body() == 0) return;
        const Extent extent = measure_rows(view, all, n_threads_).extent;
        check_extent(extent, static_cast<double>(n_body()));
        scales.push_back(scales_of(view, extent));
    }
    const auto sums_of = [&](std::int64_t part, std::int64_t k) {
        return sums_.data() + (part * shape_.n_outputs + k) * n_nodes_;
    };
    for_each_part([&](std::int64_t p, std::int64_t k) {
        const auto output = static_cast<std::size_t>(k);
        sum_part(parts_[static_cast<std::size_t>(p)], k, views[output], scales[output],
                 sums_of(p, k));
    });
    for_each([&](std::int64_t m, std::int64_t k) {
        std::vector<Sums> sums(static_cast<std::size_t>(n_nodes_));
        for (std::int64_t p = 0; p < std::ssize(parts_); ++p)
            if (parts_[static_cast<std::size_t>(p)].model == m)
                for (std::int64_t i = 0; i < n_nodes_; ++i)
                    sums[static_cast<std::size_t>(i)] += sums_of(p, k)[i];
        step_model(m, k, views[static_cast<std::size_t>(k)], scales[static_cast<std::size_t>(k)],
                   sums, log_link_power);
    });
    for_each_part([&](std::int64_t p, std::int64_t k) {
        const Part& part = parts_[static_cast<std::size_t>(p)];
        const double *values = values_of(part.model, k),
                     *scores = body_scores_.data() + k * n_body();
        const std::int32_t* leaves = body_leaves_.data() + k * n_body();
        double* moved = moved_.data() + k * n_body();
        for (std::int64_t i = part.begin; i < part.end; ++i)
            moved[i] = scores[i] + values[leaves[i]];
    });
    is_first_ = false;
}

PrefixScores::Scales PrefixScores::scales_of(const GradientView& view, const Extent& extent) const {
    const auto bits = [&](double largest) {
        if (!(largest > 0)) return 0;
        return std::clamp(62 - exponent_above(static_cast<double>(n_body())) -
                              exponent_above(largest),
                          -1000, 1000);
    };
    return {bits(extent.gradient), bits(extent.hessian),
            view.hessians != nullptr || !body_weights_.empty()};
}

void PrefixScores::sum_part(const Part& part, std::int64_t output, const GradientView& view,
                            const Scales& scales, Sums* sums) const {
    const double gradient_scale = power_of_two(scales.gradient_bits),
                 hessian_scale = power_of_two(scales.hessian_bits);
    std::fill_n(sums, n_nodes_, Sums{});
    const std::int32_t* leaves = body_leaves_.data() + output * n_body();
    for (std::int64_t i = part.begin; i < part.end; ++i) {
        Sums& own = sums[leaves[i]];
        const double factor =
            body_weights_.empty() ? 1.0 : body_weights_[static_cast<std::size_t>(i)];
        own.gradient += std::llrint(view.gradients[i] * factor * gradient_scale);
        ++own.count;
        if (!scales.sums_hessians) continue;
        const double h = view.hessians != nullptr ? view.hessians[i] : view.constant_hessian;
        own.hessian += std::llrint(h * factor * hessian_scale);
    }
}

void PrefixScores::step_model(std::int64_t model, std::int64_t output, const GradientView& view,
                              const Scales& scales, std::span<const Sums> sums,
                              std::optional<double> log_link_power) {
    double* values = values_of(model, output);
    Bounds* known = known_.data() + (values - values_.data());
    const double gradient_unit = power_of_two(-scales.gradient_bits),
                 hessian_unit = power_of_two(-scales.hessian_bits);
    for (std::size_t node = 0; node < sums.size(); ++node) {
        if (sums[node].count == 0) continue;
        const NodeSum sum{static_cast<double>(sums[node].gradient) * gradient_unit,
                          scales.sums_hessians
                              ? static_cast<double>(sums[node].hessian) * hessian_unit
                              : static_cast<double>(sums[node].count) * view.constant_hessian};
        if (is_first_) {
            values[node] = first_step(sum, plan_.reg_lambda, plan_, log_link_power);
            known[node] = known_after(values[node]);
        } else {
            values[node] = further_step(values[node], sum, plan_.reg_lambda, plan_, log_link_power,
                                        known[node]);
        }
    }
}

void PrefixScores::end(double rate) {
    for (double& value : values_) value *= rate;
    for_each_part([&](std::int64_t p, std::int64_t k) {
        const Part& part = parts_[static_cast<std::size_t>(p)];
        const double* values = values_of(part.model, k);
        const std::int32_t* leaves = body_leaves_.data() + k * n_body();
        double *scores = body_scores_.data() + k * n_body(), *moved = moved_.data() + k * n_body();
        for (std::int64_t i = part.begin; i < part.end; ++i)
            moved[i] = scores[i] += values[leaves[i]];
    });
    const int threads = useful_threads(n_threads_, 4 * n_rows() * shape_.n_outputs);
    parallel_for(threads, std::ssize(models_) * shape_.n_outputs, [&](std::int64_t t) {
        const std::int64_t m = t / shape_.n_outputs, k = t % shape_.n_outputs;
        const Model& model = models_[static_cast<std::size_t>(m)];
        const double* values = values_of(m, k);
        const std::int32_t* leaves = leaves_.data() + k * shape_.n_rows;
        const auto& order = orders_[static_cast<std::size_t>(model.permutation)];
        double* tails = tails_[static_cast<std::size_t>(model.permutation)].data() + k * n_rows();
        for (std::int64_t i = model.tail_begin; i < model.tail_end; ++i) {
            const std::int32_t row = order[static_cast<std::size_t>(i)];
            tails[row] += values[leaves[row]];
        }
    });
}

} // namespace ceiba
