// Scores for the gradients of ordered boosting: each row's score comes from a model that did not
// use the row.
//
// Draws several random permutations of the rows. Each permutation has models of prefixes whose
// sizes double, and a row is scored by the model whose prefix ends before it:
//
//   place in permutation   0      s     2s           4s                       8s
//   rows that the models [ B ][      ]                                           scores [0, s)
//   of each part use     [    ][ A  ]                                            scores [s, 2s)
//                        [    A, B   ][            ]                             scores [2s, 4s)
//                        [         ...            ][                         ]   scores [4s, 8s)
//
// (No prefix comes before the first s rows: they are scored by the model of the next s, which did
// not use them either.) All models share the trees of the boosting and differ in their leaf values,
// each fitted to the rows that it uses at its own scores. Together they use fewer than n + 2 s
// rows, so a permutation costs little more than another pass over the rows.
//
// Without prefixes there is one model of all rows: the scores of plain boosting, for rows whose
// splits use other encoded columns than the leaves of the model.
//
// The life of ordered scores:
//   1. They are created for the start scores of the rows. body_rows() lists the rows that the
//      models use, model by model: targets and weights have this layout.
//   2. In every round begin() takes the leaf of each row. Then, for each Newton step: the gradients
//      of the loss at moved(), and step().
//   3. end() multiplies the values by the learning rate and adds them to the scores of the rows
//      that models use, and to those of the rows that they score: tails(), by permutation and row.
//
// Sums are fixed-point integers with as many bits as fit into 63; neither threads nor the order of
// the rows change a bit.
#pragma once

#include "gradient/quantize.hpp"
#include "split/bounds.hpp"
#include "tree/plan.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace ceiba {

// The rows in the order of a permutation: by a hash of (seed, permutation, row).
std::vector<std::int32_t> ordered_rows(std::uint64_t seed, std::uint64_t permutation,
                                       std::int64_t n_rows);

class PrefixScores {
  public:
    struct Shape {
        std::int64_t n_rows = 0, n_outputs = 1, n_permutations = 1;
        std::int64_t first_rows = 1; // s; 0: one model that uses and scores all rows
    };

    // start: [n_outputs, n_rows]; weights: one per row, or empty.
    PrefixScores(const Shape& shape, std::uint64_t seed, const GrowPlan& plan,
                 std::span<const double> start, std::span<const double> weights, int n_threads);

    std::int64_t n_outputs() const { return shape_.n_outputs; }
    std::int64_t n_rows() const { return shape_.n_rows; }
    std::int64_t n_body() const { return static_cast<std::int64_t>(body_rows_.size()); }
    std::span<const std::int32_t> body_rows() const { return body_rows_; }
    // The scores of the rows that models use, with the values so far: [n_outputs, n_body].
    const std::vector<double>& moved() const { return moved_; }
    // [n_outputs, n_rows]: the score of each row by a model that did not use it.
    std::span<const double> tails(std::int64_t permutation) const;

    // leaves: [n_outputs, n_rows], numbers of nodes.
    void begin(std::span<const std::int32_t> leaves);
    void step(std::span<const GradientView> views, std::optional<double> log_link_power);
    void end(double rate);

  private:
    struct Model {
        std::int64_t permutation;
        std::int64_t begin, end;           // rows that it uses, in body_rows_
        std::int64_t tail_begin, tail_end; // rows that it scores, in orders_[permutation]
    };

    void add_model(std::int64_t permutation, std::int64_t begin, std::int64_t end,
                   std::int64_t tail_begin, std::int64_t tail_end);
    // Rows of a model that one thread processes: [begin, end) of body_rows_.
    struct Part {
        std::int64_t model, begin, end;
    };
    // Scales of the fixed-point gradients and hessians of one output.
    struct Scales {
        int gradient_bits, hessian_bits;
        bool sums_hessians;
    };

    Scales scales_of(const GradientView& view, const Extent& extent) const;
    void sum_part(const Part& part, std::int64_t output, const GradientView& view,
                  const Scales& scales, Sums* sums) const;
    void step_model(std::int64_t model, std::int64_t output, const GradientView& view,
                    const Scales& scales, std::span<const Sums> sums,
                    std::optional<double> log_link_power);
    double* values_of(std::int64_t model, std::int64_t output) {
        return values_.data() + (model * shape_.n_outputs + output) * n_nodes_;
    }
    template <class Work>
    void for_each(Work work); // (model, output)
    template <class Work>
    void for_each_part(Work work); // (part, output)

    Shape shape_;
    GrowPlan plan_;
    int n_threads_;
    std::vector<std::vector<std::int32_t>> orders_;
    std::vector<Model> models_;
    std::vector<Part> parts_; // model by model
    std::vector<std::int32_t> body_rows_;
    std::vector<double> body_weights_;        // empty: all are 1
    std::vector<double> body_scores_, moved_; // [n_outputs, n_body]
    std::vector<std::vector<double>> tails_;  // by permutation: [n_outputs, n_rows]
    // of the round
    std::vector<std::int32_t> leaves_;      // [n_outputs, n_rows]
    std::vector<std::int32_t> body_leaves_; // [n_outputs, n_body]
    std::int64_t n_nodes_ = 0;
    bool is_first_ = true;
    std::vector<Sums> sums_;     // [n_parts, n_outputs, n_nodes]
    std::vector<double> values_; // [n_models, n_outputs, n_nodes]
    std::vector<Bounds> known_;  // intervals of the minima of the leaves
};

} // namespace ceiba
